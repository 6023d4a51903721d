import { type Finding, finding } from '../api/finding.ts';
import type { DataStep } from '../api/lifecycle-plan.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { movesAsOne } from './data-steps.ts';
import { placeOf } from './place.ts';
import { type PartWish, partName, type ServiceWish } from './wish.ts';

/**
 * A migration that is not split, or a restore, is survived by one version only: the parts of the service are drained,
 * changed and tested together, as one step. Everywhere else each part is a step of its own.
 */
export function mergeParts(
  record: ResolvedRecord,
  wish: ServiceWish,
  data: readonly DataStep[],
): { wish: ServiceWish; findings: Finding[] } {
  const { parts } = wish;
  if (!movesAsOne(data)) return { wish, findings: [] };
  const findings = partsLeftBehind(wish).map(name => {
    const message = `${name} would stay as it is while the data of ${wish.service} moves to a schema its version may not survive`;
    const advice = `Change all parts of ${wish.service} together.`;
    return finding('StrategyRefused', message, placeOf(record, wish.wanted, 'components'), advice);
  });
  const [only, second] = parts;
  if (only && !second && only.component === wish.service) return { wish, findings };
  return { wish: { ...wish, parts: [asOne(wish, data)] }, findings };
}

/** What runs of the service and is not changed. */
function partsLeftBehind({ service, running, parts }: ServiceWish): string[] {
  if (!running || running.state === 'Absent') return [];
  const changed = new Set(parts.map(part => partName(service, part)));
  return running.parts.map(part => partName(service, part)).filter(name => !changed.has(name));
}

function asOne({ service, target, running, parts }: ServiceWish, data: readonly DataStep[]): PartWish {
  const back = data.some(step => step.action === 'restore');
  const runs = running !== undefined && running.state !== 'Absent';
  const [first] = running?.parts ?? [];
  const revision = parts.find(part => part.revision)?.revision;
  return {
    component: service,
    covers: parts.map(part => partName(service, part)),
    flow: back ? 'rollback' : runs ? 'upgrade' : 'install',
    inPlace: false,
    target: target && {
      component: service,
      version: target.version,
      packageDigest: target.packageDigest,
      lifecycle: target.lifecycle,
      inventory: parts.flatMap(part => part.target?.inventory ?? []),
      needs: parts.flatMap(part => part.target?.needs ?? []),
    },
    running: runs && first ? { ...first, version: running.version ?? first.version } : undefined,
    ...(revision ? { revision } : {}),
    why: [...new Set(parts.flatMap(part => part.why))],
    changes: parts.flatMap(part => part.changes),
  };
}
