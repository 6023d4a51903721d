import type { Condition } from './conditions.ts';

/** An object as far as its conditions go. */
export interface Conditioned {
  readonly metadata: { readonly name: string; readonly generation?: number };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly observedGeneration?: number };
}

/**
 * What is contradictory in the conditions of an object, each in a sentence; empty where all is well. For tests: whatever a
 * journey does, at every moment every object must pass.
 */
export function checkConditions({ metadata, status }: Conditioned): string[] {
  const conditions = status?.conditions ?? [];
  const say = (text: string) => `${metadata.name}: ${text}`;
  const is = (type: string, value: string) =>
    conditions.some(condition => condition.type === type && condition.status === value);
  const types = conditions.map(({ type }) => type);
  const ahead = [status, ...conditions].some(
    seen => (seen?.observedGeneration ?? 0) > (metadata.generation ?? Number.MAX_SAFE_INTEGER),
  );
  return [
    ...types.filter((type, index) => types.indexOf(type) !== index).map(type => `${type} is there twice`),
    ...conditions
      .filter(({ reason }) => !reason?.match(/^[A-Z][A-Za-z0-9]*$/))
      .map(({ type }) => `${type} has no reason in one word`),
    ...conditions
      .filter(({ lastTransitionTime }) => !lastTransitionTime)
      .map(({ type }) => `${type} does not say since when`),
    ...(conditions.length > 0 && !types.includes('Ready') ? ['there are conditions, but no Ready'] : []),
    ...(is('Ready', 'True') && is('Available', 'False') ? ['Ready, and not Available'] : []),
    ...(is('Ready', 'True') && is('Progressing', 'True') ? ['Ready, and still Progressing'] : []),
    ...(is('Ready', 'True') && is('Stalled', 'True') ? ['Ready, and Stalled'] : []),
    ...(is('Progressing', 'True') && is('Stalled', 'True') ? ['Progressing, and Stalled'] : []),
    ...(ahead ? ['a generation was observed that is not there yet'] : []),
  ].map(say);
}
