import type { ContainerStatus, Pod } from '../object/pod.ts';
import { parseIndexes } from './index-set.ts';
import type { FailureRule, Job } from './job.ts';

/** What the failure of a Pod means for its Job. */
export interface Judgement {
  readonly action: 'Ignore' | 'Count' | 'FailIndex' | 'FailJob';
  /** Why the whole Job fails. */
  readonly message?: string;
}

/** The first rule that a failed Pod meets says what it means; without one it counts. */
export function judgeFailure({ spec }: Job, pod: Pod): Judgement {
  for (const [number, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const why = rule.onExitCodes ? whyByExitCode(rule, pod) : whyByCondition(rule, pod);
    if (why === undefined) continue;
    const action = rule.action as Judgement['action'];
    if (action !== 'FailJob') return { action };
    return { action, message: `${why} matching FailJob rule at index ${number}` };
  }
  return { action: 'Count' };
}

function whyByExitCode({ onExitCodes }: FailureRule, { metadata, status }: Pod): string | undefined {
  if (!onExitCodes) return undefined;
  const { containerName, operator, values } = onExitCodes;
  const exitCode = (one: ContainerStatus) => one.state?.terminated?.exitCode ?? 0;
  const found = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    one =>
      (containerName === undefined || containerName === one.name) &&
      exitCode(one) !== 0 &&
      values.includes(exitCode(one)) === (operator === 'In'),
  );
  if (!found) return undefined;
  const place = `${metadata.namespace}/${metadata.name}`;
  return `Container ${found.name} for pod ${place} failed with exit code ${exitCode(found)}`;
}

function whyByCondition(
  { onPodConditions = [] }: FailureRule,
  { metadata, status }: Pod,
): string | undefined {
  const found = status?.conditions?.find(condition =>
    onPodConditions.some(
      pattern => pattern.type === condition.type && (pattern.status ?? 'True') === condition.status,
    ),
  );
  return found && `Pod ${metadata.namespace}/${metadata.name} has condition ${found.type}`;
}

/** Why an indexed Job is done though not all of it is; undefined while no rule says so. */
export function successByPolicy({ spec }: Job, succeeded: ReadonlySet<number>): string | undefined {
  if (succeeded.size === 0) return undefined;
  const number = (spec.successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined)
      return succeededCount !== undefined && succeeded.size >= succeededCount;
    const wanted = parseIndexes(succeededIndexes, spec.completions ?? 0);
    const met = [...wanted].filter(index => succeeded.has(index)).length;
    return wanted.size > 0 && met >= Math.min(succeededCount ?? wanted.size, wanted.size);
  });
  return number < 0 ? undefined : `Matched rules at index ${number}`;
}
