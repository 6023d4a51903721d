import { type Finding, finding } from '../api/finding.ts';
import { shortImageName } from '../api/image-name.ts';
import type { MachineNeed } from '../package/package.ts';
import type { ResolvedRecord } from '../record/record.ts';
import { placeOf } from './place.ts';
import { readable } from './print-plan.ts';
import type { ServiceWish } from './wish.ts';

/** What the embedded runtime can give to containers here, and why not more. */
export interface Machine {
  readonly isolation: 'namespaces' | 'loopback';
  readonly because: string;
  /** Who Afloat is there; 0 is root. */
  readonly user: number;
  readonly group: number;
}

/** What the parts that are to change need and the machine cannot give. The same of the same image is said once a service. */
export function* checkMachine(
  record: ResolvedRecord,
  wish: ServiceWish,
  machine: Machine,
): Generator<Finding> {
  const told = new Set<string>();
  for (const need of wish.parts.flatMap(part => part.target?.needs ?? [])) {
    if (gives(machine, need)) continue;
    const { what, object, image, because } = need;
    const key = JSON.stringify([what, image === undefined ? object : shortImageName(image), because]);
    if (told.has(key)) continue;
    told.add(key);
    yield sayNeed(record, wish, need, machine);
  }
}

function gives(machine: Machine, need: MachineNeed): boolean {
  if (need.what === 'image') return false;
  if (need.what === 'namespaces') return machine.isolation === 'namespaces';
  return machine.user === 0 || need.user === machine.user || need.group === machine.group;
}

function sayNeed(record: ResolvedRecord, wish: ServiceWish, need: MachineNeed, machine: Machine): Finding {
  const place = placeOf(record, wish.wanted, 'version');
  const whose = `${readable(need.object)} of ${wish.service}`;
  const who = need.container === undefined ? whose : `${whose}, container ${need.container}`;
  if (need.what === 'image') return finding('ImageUnknown', `${who}: ${need.because}`, place);
  if (need.what === 'root') {
    const message = `${who} needs root: it ${need.because}; Afloat runs as user ${machine.user}`;
    return finding('RootMissing', message, place);
  }
  const message = `${who} needs namespaces of its own: it ${need.because}; ${machine.because}`;
  return finding('IsolationMissing', message, place);
}
