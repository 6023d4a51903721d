import type { PlanState } from '../../api/lifecycle-plan.ts';
import { missingConsents } from '../../status/plan-view.ts';
import { hasOpenWindow } from './maintenance-window.ts';
import type { PlanScope } from './plan-scope.ts';

/** Whether a plan may begin, or go on; and if not, in which state it is and why. */
export type Permission =
  | { readonly may: true }
  | {
      readonly may: false;
      readonly state: PlanState;
      readonly message: string;
      /** When to look again, where only time will tell. */
      readonly afterSeconds?: number;
    };

const yes: Permission = { may: true };

/** Approval names this very plan, has not expired when the plan starts, and holds every consent that a step needs before it begins. */
export function mayStart(scope: PlanScope): Permission {
  const { object, now, flows } = scope;
  // What has begun is not asked again; but a window that closed lets no further step begin.
  if (flows.size > 0) return inWindow(scope, 0);
  const { approval, digest, plan } = object.spec;
  const needsPerson = plan.approval === 'manual';
  if (needsPerson && !approval) {
    const message = `A person must approve the plan: afloat approve ${object.metadata.name}`;
    return { may: false, state: 'WaitingForApproval', message };
  }
  if (approval && approval.digest !== digest)
    return { may: false, state: 'WaitingForApproval', message: 'The approval is for another plan.' };
  if (approval?.expiresAt !== undefined && Date.parse(approval.expiresAt) <= now)
    return { may: false, state: 'Expired', message: 'The approval expired before the plan could start.' };
  const missing = missingConsents(object);
  if (missing.length > 0) {
    const message = `The plan needs consent to ${missing.join(', ')}: afloat approve ${object.metadata.name} --consent ${missing[0]}`;
    return { may: false, state: 'WaitingForApproval', message };
  }
  return inWindow(scope, 2 * plan.estimateSeconds);
}

/** A plan starts only when it and its way back fit into what is left of a maintenance window; a step, while one is open. */
function inWindow({ record, now }: PlanScope, needed: number): Permission {
  if (hasOpenWindow(record?.spec.maintenanceWindows ?? [], now, needed)) return yes;
  const message =
    needed > 0
      ? `Waits for a maintenance window with room for the plan and its way back (${needed} s).`
      : 'The maintenance window is closed: what runs goes on to its end, and the next step waits for a window.';
  return { may: false, state: 'WaitingForWindow', message, afterSeconds: 60 };
}
