import { type Finding, finding } from '../api/finding.ts';
import type { MachineNeed } from '../package/package.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { placeOf } from './place.ts';
import { readable } from './print-plan.ts';
import type { ServiceWish } from './wish.ts';

/** What the embedded runtime can give to containers here, and why not more. */
export interface Machine {
  readonly isolation: 'namespaces' | 'loopback';
  readonly because: string;
}

/** What the parts that are to change need and the machine cannot give. Each image is named once a service. */
export function* checkMachine(
  record: ResolvedRecord,
  wish: ServiceWish,
  machine: Machine,
): Generator<Finding> {
  const told = new Set<string>();
  for (const need of wish.parts.flatMap(part => part.target?.needs ?? [])) {
    if (need.what === 'namespaces' && machine.isolation === 'namespaces') continue;
    const key = `${need.what} ${need.image}`;
    if (told.has(key)) continue;
    told.add(key);
    yield sayNeed(record, wish, need, machine);
  }
}

function sayNeed(record: ResolvedRecord, wish: ServiceWish, need: MachineNeed, machine: Machine): Finding {
  const place = placeOf(record, wish.wanted, 'version');
  const who = `${readable(need.object)} of ${wish.service}, container ${need.container}`;
  if (need.what === 'image') {
    return finding('ImageUnknown', `${who}: ${need.because}`, place);
  }
  const message = `${who} needs namespaces of its own: it ${need.because}; ${machine.because}`;
  return finding('IsolationMissing', message, place);
}
