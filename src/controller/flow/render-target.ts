import type { Finding } from '../../api/finding.ts';
import type { SecretDigest } from '../../api/service-revision.ts';
import { digestJson } from '../../base/digest.ts';
import { partName } from '../../plan/wish.ts';
import type { Resolution } from '../../record/resolve-record.ts';
import { isHandMade } from '../hand-made.ts';
import { one, type RecordObject } from '../our-objects.ts';
import { partsCovered } from '../parts-covered.ts';
import { recordFromObject } from '../record/record-from-object.ts';
import { asAccount } from '../runtime/as-account.ts';
import type { Bundle } from '../store/bundle.ts';
import { keepManifests } from '../store/manifest-store.ts';
import type { FlowScope } from './flow-scope.ts';
import { handMadeRecord } from './hand-made-record.ts';
import { renderParts } from './render-parts.ts';

/** What a flow shall bring, kept so that every move of it, and every return to it, writes the same bytes. */
export interface RenderedTarget {
  /** Secrets that hold it. */
  readonly manifests: readonly string[];
  readonly secretDigests: readonly SecretDigest[];
  readonly bundles: readonly Bundle[];
}

/** Renders the target of a flow for real, with its secrets, and keeps it. Findings where that cannot be done; nothing was touched then. */
export async function renderTarget(
  scope: FlowScope,
): Promise<RenderedTarget | { readonly findings: readonly Finding[] }> {
  const { world, namespace, planned, object } = scope;
  const resolved = recordOf(scope);
  const { record } = resolved;
  const service = record?.services.find(({ name }) => name === planned.step.service);
  if (!record || !service) return { findings: resolved.findings };
  const reader = asAccount(world.cluster, namespace, planned.serviceAccountName);
  const rendered = await renderParts({ ...world, reader }, record, service, partsCovered(planned.step));
  if ('findings' in rendered) return rendered;
  const manifests: string[] = [];
  for (const bundle of rendered.bundles) {
    const part = partName(bundle.service, bundle);
    const name = `${object.metadata.name.slice(0, 200)}-${digestJson(part).slice(7, 15)}`;
    manifests.push(
      ...(await keepManifests(world.cluster, namespace, { flow: object.metadata.name, name }, bundle)),
    );
  }
  // What an earlier pass kept stands, also where a Secret has changed since: what is told of it is told of that.
  const bundles = await world.manifests.of(namespace, manifests);
  const digests = bundles.flatMap(bundle => bundle.secretDigests);
  const secretDigests = [...new Map(digests.map(one => [`${one.kind}/${one.name}`, one])).values()];
  return { manifests, bundles, secretDigests };
}

/** What says what the service shall be: the record, or the flow itself where a person wrote it. */
function recordOf({ world, namespace, planned, object }: FlowScope): Resolution {
  if (isHandMade(object)) return handMadeRecord(object, planned.step.to?.version);
  const stored = one<RecordObject>(world.records, namespace, planned.deployment);
  return stored ? recordFromObject(stored) : { findings: [] };
}
