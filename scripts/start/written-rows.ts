import { fieldOf, type PacedClients, sayAnswer } from './paced-clients.ts';

/** Something whose creation was acknowledged. */
export interface Written {
  readonly id: string;
  readonly name: string;
}

/** What reading every acknowledged write back found. */
export interface WritesCheck {
  readonly checked: number;
  /** One line for each row that is not there, or not as written. */
  readonly lost: readonly string[];
}

/** Reads every row back, at `folder/id`, where the answer has it in `field`. */
export async function checkWritten(
  clients: Pick<PacedClients, 'send'>,
  rows: readonly Written[],
  { folder, field }: { readonly folder: string; readonly field: string },
): Promise<WritesCheck> {
  const lost: string[] = [];
  const queue = [...rows].values();
  const reader = async () => {
    for (const { id, name } of queue) {
      const answer = await clients.send({ method: 'GET', path: `${folder}/${id}` });
      const isThere = !('failure' in answer) && answer.status === 200;
      if (!isThere || fieldOf(answer, field)?.['name'] !== name)
        lost.push(`${field} ${id} (${name}): ${sayAnswer(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, reader));
  return { checked: rows.length, lost };
}
