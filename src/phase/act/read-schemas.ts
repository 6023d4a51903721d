import type { SchemaState } from '../../api/service-revision.ts';
import { done, type Notes, type Outcome, type PhasePorts, type PhaseRun, sideOf } from '../phase-run.ts';
import { taskRunner } from './one-database.ts';

/** Asks each database that can tell which schema it has. */
export async function readSchemas(run: PhaseRun, ports: PhasePorts, notes: Notes): Promise<Outcome> {
  const side = sideOf(run);
  const scope = { run, ports, notes, side };
  const known = new Set(run.schemas.map(schema => schema.database));
  for (const database of side.parts.flatMap(part => part.lifecycle.data)) {
    // What is not there yet cannot be asked.
    if (database.state === undefined || !known.has(database.name)) continue;
    const { state, result, reason, message } = await taskRunner(scope)(database.state, {});
    if (state === 'failed') return { kind: 'failed', reason, message };
    if (state === 'running') return { kind: 'wait', reason, message };
    const schema = schemaIn(database.name, result);
    if (schema) notes.schemas.push(schema);
  }
  return done;
}

/** What a state task says, as its termination message. */
function schemaIn(database: string, result: string | undefined): SchemaState | undefined {
  if (result === undefined) return undefined;
  try {
    const { expandedTo, contractedTo } = JSON.parse(result) as Record<string, unknown>;
    // Without any schema it would be told of as a database that is gone.
    if (!isSchema(expandedTo) && !isSchema(contractedTo)) return undefined;
    return {
      database,
      ...(isSchema(expandedTo) ? { expandedTo } : {}),
      ...(isSchema(contractedTo) ? { contractedTo } : {}),
    };
  } catch {
    // Whoever writes no JSON says nothing about the schema; what is known stays.
    return undefined;
  }
}

function isSchema(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 128;
}
