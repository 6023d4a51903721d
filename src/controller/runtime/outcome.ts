/**
 * Where a pass came to. `wait`: goes on by itself, when an object changes or after a time. `blocked`: only a person can let it go on.
 * `failed`: this will not be tried again as it is.
 */
export type StepOutcome =
  | { readonly kind: 'done' }
  | {
      readonly kind: 'wait';
      readonly reason: string;
      readonly message: string;
      readonly afterSeconds?: number;
    }
  | {
      readonly kind: 'blocked';
      readonly reason: string;
      readonly message: string;
      /** When to look whether a person did, where no object tells. */
      readonly afterSeconds?: number;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string };

export const done: StepOutcome = { kind: 'done' };

/** One step of a pass. It may fill in the scope for those after it. */
export type Step<Scope> = (scope: Scope) => Promise<StepOutcome>;

/** The steps in order, up to the first that is not done. */
export async function runSteps<Scope>(steps: readonly Step<Scope>[], scope: Scope): Promise<StepOutcome> {
  for (const step of steps) {
    const outcome = await step(scope);
    if (outcome.kind !== 'done') return outcome;
  }
  return done;
}
