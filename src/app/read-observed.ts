import { type Finding, finding, findingOf } from '../api/finding.ts';
import { applyDefaults } from '../api/schema/defaults.ts';
import { validate } from '../api/schema/validate.ts';
import { type ObservedState, observedStateSchema } from '../plan/observed-state.ts';
import { load } from '../record/load.ts';
import { placeOf } from '../record/place-of.ts';

/** An observed state, or what is wrong with the file. */
export interface ReadObserved {
  readonly observed?: ObservedState;
  readonly findings: readonly Finding[];
}

/** The state of a cloud that is not there yet. */
export const nothingRuns: ReadObserved = { observed: { services: [], contents: [] }, findings: [] };

/** Reads what runs from a file, or for `-` from the text of standard input, checked as strictly as a record. */
export async function readObserved(path: string, stdin: string): Promise<ReadObserved> {
  const { manifests, findings } = await load([path], stdin);
  const [manifest, second] = manifests;
  if (second) {
    const message = 'a state file holds one document';
    return { findings: [...findings, finding('StateInvalid', message, placeOf(second, []))] };
  }
  if (!manifest || findings.length > 0) return { findings };
  const { kind } = manifest.object;
  if (typeof kind === 'string') {
    const message = `the file holds a manifest of kind ${kind}, and no observed state`;
    return { findings: [finding('StateInvalid', message, placeOf(manifest, ['kind']))] };
  }
  const filled = applyDefaults(observedStateSchema.json, manifest.object);
  const problems = validate(observedStateSchema.json, filled);
  if (problems.length > 0) {
    const located = problems.map(problem => {
      const part = problem.code === 'FieldUnknown' ? 'key' : 'value';
      return findingOf(problem, placeOf(manifest, problem.path, part));
    });
    return { findings: located };
  }
  // What passed the schema and got its defaults has the type that is taken from the schema.
  return { observed: filled as ObservedState, findings };
}
