import { finding } from '../api/finding.ts';
import { withBackupEstimates } from './data-steps.ts';
import { makeSteps } from './make-steps.ts';
import { makeWishes } from './make-wishes.ts';
import { contractObstacle, pendingContracts } from './offers.ts';
import { assemble, type PlanInput, type PlanResult, placeSteps } from './plan.ts';
import type { ServiceWish } from './wish.ts';

/**
 * The plan of its own that contracts the databases of one service: the point of no return of its last upgrade. It has
 * this one step and nothing else, whatever else the record asks for.
 */
export function makeContractPlan(input: PlanInput, service: string): PlanResult {
  const { record, observed } = input;
  const running = observed.services.find(candidate => candidate.name === service);
  const pending = running ? pendingContracts(running) : [];
  const first = running?.parts[0];
  if (!running || !first || pending.length === 0) {
    const message = `${service} has no contract pending`;
    return {
      findings: [finding('StateInvalid', message, {}, 'See what is offered at the end of `afloat plan`.')],
    };
  }
  const obstacle = contractObstacle(running, pending) ?? otherWish(input, service);
  if (obstacle !== undefined) {
    const advice = 'Wait for it, or end what is in the way; then plan the contract again.';
    return {
      findings: [finding('StateInvalid', `the contract of ${service} cannot run: ${obstacle}`, {}, advice)],
    };
  }
  const wish: ServiceWish = {
    service,
    wanted: record.services.find(candidate => candidate.name === service),
    target: undefined,
    running,
    purge: false,
    notes: [],
    parts: [
      {
        component: service,
        flow: 'contract',
        inPlace: true,
        target: undefined,
        running: first,
        why: [
          `the soak of ${running.version ?? 'the last change'} is over and no process of the old version is left`,
        ],
        changes: [],
      },
    ],
  };
  const data = pending.map(database => ({
    database: database.name,
    action: 'contract' as const,
    ...(database.contractedTo === undefined ? {} : { from: database.contractedTo }),
    ...(database.expandedTo === undefined ? {} : { to: database.expandedTo }),
    backup: true,
  }));
  const { steps } = makeSteps(record, wish, withBackupEstimates(data, running));
  const placed = placeSteps(record, steps, [{ wish, steps: steps.map((_, index) => index) }]);
  if ('cycle' in placed) return { findings: [finding('DependencyCycle', `${service} waits for itself`)] };
  const plan = assemble(record, [wish], placed);
  return { plan: { ...plan, offers: [] } };
}

/** A contract burns the way back; it must not be what a person does while the record asks for something else. */
function otherWish({ record, targets, observed }: PlanInput, service: string): string | undefined {
  const { wishes } = makeWishes(record, targets, observed);
  const wish = wishes.find(candidate => candidate.service === service);
  if (wish?.waiting) return `it waits: ${wish.waiting.reason}`;
  return wish && wish.parts.length > 0 ? 'the record asks for another change of it first' : undefined;
}
