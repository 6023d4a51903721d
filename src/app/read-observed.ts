import { type Finding, finding, findingOf } from '../api/finding.ts';
import { applyDefaults } from '../api/schema/defaults.ts';
import { validate } from '../api/schema/validate.ts';
import { type ObservedState, observedStateSchema } from '../plan/observed-state.ts';
import { load } from '../record/load.ts';

/** An observed state, or what is wrong with the file. */
export interface ReadObserved {
  readonly observed?: ObservedState;
  readonly findings: readonly Finding[];
}

/** The state of a cloud that is not there yet. */
export const nothingRuns: ReadObserved = { observed: { services: [], contents: [] }, findings: [] };

/** Reads what runs from a file, checked as strictly as a record. */
export async function readObserved(path: string): Promise<ReadObserved> {
  const { manifests, findings } = await load([path]);
  const [manifest, second] = manifests;
  if (second) {
    const message = 'a state file holds one document';
    return {
      findings: [...findings, finding('StateInvalid', message, { file: path, ...second.locate([]) })],
    };
  }
  if (!manifest) return { findings };
  const problems = validate(observedStateSchema.json, manifest.object);
  if (problems.length > 0 || findings.length > 0) {
    const located = problems.map(problem =>
      findingOf(problem, { file: path, ...manifest.locate(problem.path) }),
    );
    return { findings: [...findings, ...located] };
  }
  // What passed the schema and got its defaults has the type that is taken from the schema.
  return { observed: applyDefaults(observedStateSchema.json, manifest.object) as ObservedState, findings };
}
