import type { PackageLifecycle } from '../../api/package-lifecycle.ts';
import type { Manifest } from '../../record/parse-yaml.ts';
import type { PackageFiles } from '../source.ts';

/** A Helm chart that was read and is not rendered yet: what it is made of depends on values. */
export interface Chart {
  readonly name: string;
  readonly version: string;
  readonly appVersion?: string;
  readonly description?: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly files: PackageFiles;
  /** Its `lifecycle.yaml`, and where it was written; absent in a chart that was never written for us. */
  readonly written?: { readonly lifecycle: PackageLifecycle; readonly manifest: Manifest };
  /** Whether its templates ask for the phase by value: what belongs to a phase is then what the chart renders for it. */
  readonly asksForStage: boolean;
}

/** A template or CRD of a chart, packed charts inside it left out. */
export function isTemplate(path: string): boolean {
  return /^(charts\/[^/]+\/)*(templates|crds)\//.test(path) && !/(^|\/)NOTES\.txt$/.test(path);
}
