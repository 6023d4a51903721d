import type { JsonObject } from '../../base/json.ts';

/** One object that Helm made of a chart, with what Helm itself would read from its annotations. Nothing was decided about it yet. */
export interface ChartObject {
  readonly object: JsonObject;
  /** The file it comes from, from the root of the chart: `templates/api.yaml`, `charts/db/templates/job.yaml`, `crds/key.yaml`. */
  readonly file: string;
  /** Line in what was rendered of that file at which the object starts, counted over all documents of the file that Helm gave. */
  readonly line: number;
  /** Helm's words for when it is a hook: `post-install`, `test`; nothing for an ordinary object of the release. */
  readonly hooks: readonly string[];
  /** `helm.sh/hook-weight`; 0 where there is none. */
  readonly weight: number;
  /** `helm.sh/hook-delete-policy`, word by word. */
  readonly deletePolicies: readonly string[];
  /** `keep` where Helm would leave it there for ever. */
  readonly resourcePolicy?: 'keep';
}
