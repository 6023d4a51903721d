import { finding } from '../api/finding.ts';
import { makeSteps } from './make-steps.ts';
import { contractObstacle, pendingContracts } from './offers.ts';
import { assemble, type PlanInput, type PlanResult, placeSteps } from './plan.ts';
import type { ServiceWish } from './wish.ts';

/**
 * The plan of its own that contracts the databases of one service: the point of no return of its last upgrade. It has
 * this one step and nothing else, whatever else the record asks for.
 */
export function makeContractPlan({ record, observed }: PlanInput, service: string): PlanResult {
  const running = observed.services.find(candidate => candidate.name === service);
  const pending = running ? pendingContracts(running) : [];
  const first = running?.parts[0];
  if (!running || !first || pending.length === 0) {
    const message = `${service} has no contract pending`;
    return {
      findings: [finding('StateInvalid', message, {}, 'See what is offered at the end of `afloat plan`.')],
    };
  }
  const obstacle = contractObstacle(running, pending);
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
  const { steps } = makeSteps(record, wish, data);
  const placed = placeSteps(record, steps, [{ wish, steps: steps.map((_, index) => index) }]);
  if ('cycle' in placed) return { findings: [] };
  const plan = assemble(record, [wish], placed);
  return { plan: { ...plan, offers: [] } };
}
