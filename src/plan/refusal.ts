import type { Finding } from '../api/finding.ts';
import type { Waiting } from '../api/lifecycle-plan.ts';
import type { Refusal } from '../package/read-packages.ts';

/** Findings, each with the service whose wish they stand against. */
export function against(service: string, findings: Iterable<Finding>): Refusal[] {
  return [...findings].map(finding => ({ service, finding }));
}

/** The findings of refusals; one that is about several services is said once. */
export function findingsOf(refused: readonly Refusal[]): Finding[] {
  return [...new Set(refused.map(({ finding }) => finding))];
}

/** Why a service stays as it is in a plan that carries out the rest of the record; undefined where nothing stands against its wish. */
export function refusedWaiting(service: string, refused: readonly Refusal[]): Waiting | undefined {
  const own = findingsOf(refused.filter(one => one.service === service));
  const [first] = own;
  if (!first) return undefined;
  const message = own.map(({ code, message: said }) => `${said} (${code}).`).join(' ');
  return {
    service,
    reason: 'Refused',
    message: message.slice(0, longest),
    advice: first.advice.slice(0, longest),
  };
}

/** What a sentence of a plan may have. */
const longest = 1024;
