import type { CloudDifference, Verbs } from '../../app/operator-verbs.ts';
import { CodedError } from '../../base/coded-error.ts';
import type { Paint } from '../../base/paint.ts';
import { readable } from '../../plan/print-plan.ts';
import { revisionsOf } from '../../status/cloud-objects.ts';
import { compareRevisions, type ObjectDifference } from '../../status/compare-inventories.ts';
import type { RunCommand } from '../command.ts';
import { printable } from '../printable.ts';
import { isStructured, structured } from '../structured.ts';
import { revisionOf } from './rollback.ts';
import { withVerbs } from './with-verbs.ts';

/** Prints what differs: the record from what runs, or one revision from another. */
export const run: RunCommand = (call, terminal) =>
  withVerbs(call, terminal, async verbs => {
    const { output } = call.options;
    const { value, lines } = await differences(call.words, verbs, terminal.paint);
    terminal.print(
      isStructured(output) ? structured(value, output) : lines.map(line => `${line}\n`).join(''),
    );
    return 'ok';
  });

async function differences(
  words: readonly string[],
  verbs: Verbs,
  paint: Paint,
): Promise<{ readonly value: unknown; readonly lines: readonly string[] }> {
  const [service, from, to] = words;
  if (service === undefined) {
    const difference = await verbs.diff();
    return { value: difference, lines: cloudLines(difference, paint) };
  }
  if (from === undefined || to === undefined || words.length > 3)
    throw new CodedError('UsageInvalid', 'name a service and two revisions, or nothing');
  const { objects } = await verbs.look();
  const revision = (text: string) => {
    const number = revisionOf(text);
    const found = revisionsOf(objects, service).find(({ spec }) => spec.number === number);
    if (!found)
      throw new CodedError('NotNow', `${service} has no revision ${text}; see: afloat history ${service}`);
    return found;
  };
  const [old, now] = [revision(from), revision(to)];
  const changes = compareRevisions(old, now);
  const head = `${service}: revision ${from} (${old.spec.version}) -> revision ${to} (${now.spec.version})`;
  return {
    value: { service, from: Number(from), to: Number(to), objects: changes },
    lines: [
      paint.strong(printable(head)),
      ...(changes.length === 0 ? ['  nothing differs'] : changes.map(one => objectLine(one, paint))),
    ],
  };
}

function cloudLines({ services }: CloudDifference, paint: Paint): string[] {
  const different = services.filter(({ wanted, serves, objects }) => wanted !== serves || objects.length > 0);
  if (different.length === 0) return ['Everything is as the record says.'];
  return different.flatMap(({ service, wanted, serves, objects }) => {
    const head = `${service}: serves ${serves ?? 'nothing'}, the record says ${wanted ?? 'nothing'}`;
    return [paint.strong(printable(head)), ...objects.map(one => objectLine(one, paint))];
  });
}

function objectLine({ object, change, detail }: ObjectDifference, paint: Paint): string {
  const signs = {
    add: paint.good('+'),
    change: paint.warn('~'),
    scale: paint.warn('~'),
    remove: paint.bad('-'),
    missing: paint.bad('!'),
  };
  const more = change === 'missing' ? 'is not there' : (detail ?? '');
  return `  ${signs[change]} ${printable(`${readable(object)} ${more}`.trimEnd())}`;
}
