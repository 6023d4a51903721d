import type { CloudObjects } from './cloud-objects.ts';
import { unserved } from './failing.ts';
import type { FiveFacts, ServiceView, Serving } from './view.ts';

/** Whether everything may be left as it is until morning, and why, or why not. */
export function safetyFact(
  objects: CloudObjects,
  serving: readonly Serving[],
  services: readonly ServiceView[],
  failing: FiveFacts['failing'],
): FiveFacts['safe'] {
  const down = unserved(serving);
  const against = [
    ...down
      .filter(one => !comesBack(one, services))
      .map(({ service, part = service }) => `nobody serves ${part}, and that does not end by itself`),
    ...services.flatMap(service => dangersOf(service, down)),
    ...(failing.answer === 'yes' && down.length === 0 ? ['requests fail'] : []),
    ...(failing.answer === 'unknown' ? [failing.text] : []),
  ];
  if (against.length > 0) return { answer: false, because: against };
  return { answer: true, because: comfort(objects, services, down) };
}

/** A drained service whose flow still runs by itself is served again without anybody. */
function comesBack({ service }: Serving, services: readonly ServiceView[]): boolean {
  return services.find(({ name }) => name === service)?.flow?.state === 'running';
}

function dangersOf({ name, state, flow }: ServiceView, down: readonly Serving[]): string[] {
  if (state === 'Unsettled')
    return [`drift repair, scheduled backups and cron jobs of ${name} may not be in place`];
  const isDown = down.some(({ service }) => service === name);
  if (state === 'Irreconcilable' && !isDown)
    return [`${name} can go neither on nor back: a crash of what serves would not be mended`];
  if (state === 'Asking' && isDown) return [`${name} waits for an answer while nobody serves it`];
  const isAtWork = flow?.state === 'running' && !flow.heard;
  const overdue = isAtWork && isOverdue(flow.elapsedSeconds, flow.estimateSeconds);
  return overdue ? [`the ${flow.kind} of ${name} takes longer than it should`] : [];
}

/** Three times the estimate, and more than ten minutes over it, is worth a look. */
function isOverdue(elapsed: number | undefined, estimate: number | undefined): boolean {
  return (
    elapsed !== undefined && estimate !== undefined && elapsed > 3 * estimate && elapsed > estimate + 600
  );
}

/** Why it is safe. */
function comfort(
  { record }: CloudObjects,
  services: readonly ServiceView[],
  down: readonly Serving[],
): string[] {
  if (!record) return ['nothing runs here'];
  const lines = services.flatMap(({ name, state, serves, flow, waits }) => {
    if (state === 'InFlow' || state === 'GoingBack') {
      const isDown = down.some(({ service }) => service === name);
      return [
        isDown
          ? `${name} is down as planned and comes back by itself`
          : `the change of ${name} ends, or goes back, by itself`,
      ];
    }
    const weak = waits.find(({ reason }) => reason === 'Degraded');
    if (weak) return [`${weak.message}, and its clients are served`];
    if (state === 'Soaking')
      return [`traffic of ${name} goes back by itself when ${flow?.to ?? 'the new version'} fails`];
    if (state === 'Asking') return [`the question of ${name} can wait: its clients are served`];
    if (state === 'Held')
      return [
        serves === undefined
          ? `${name} is not installed, as before`
          : `${name} is held, and ${serves} serves its clients`,
      ];
    return [];
  });
  return lines.length > 0 ? lines : ['nothing runs that could go wrong'];
}
