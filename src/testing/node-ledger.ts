import type { Container } from '../runtime/pod/pod-shape.ts';

/** One run of one container, as it would have had an effect on the world. */
export interface LedgerRun {
  /** Who made the Pod: `Job db-expand`; the Pod itself where nobody did. */
  readonly owner: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** What it does to the world, by its own words: the variable `EFFECT`, or an argument `EFFECT=...`. */
  readonly effect: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Undefined while it runs. */
  readonly exitCode?: number;
}

/** What was done to the world, run by run, in the order of starts. A run has its effect when it starts: a process that is ended later has begun. */
export class NodeLedger {
  readonly #runs: LedgerRun[] = [];

  /** Writes a start down; what it returns writes the end down. */
  begin(run: Omit<LedgerRun, 'exitCode'>): (exitCode: number) => void {
    const place = this.#runs.push(run) - 1;
    return exitCode => {
      this.#runs[place] = { ...run, exitCode };
    };
  }

  runs(): readonly LedgerRun[] {
    return [...this.#runs];
  }

  /** How often something was done: by the name of its object (`db-expand`), kind and name (`Job db-expand`), or effect. */
  carriedOut(key: string): number {
    return this.#runs.filter(run => isAbout(run, key)).length;
  }

  /** How often it was done to its end, and well. */
  succeeded(key: string): number {
    return this.#runs.filter(run => isAbout(run, key) && run.exitCode === 0).length;
  }

  /** How often each effect was carried out. */
  effects(): ReadonlyMap<string, number> {
    const names = this.#runs.flatMap(({ effect }) => effect ?? []);
    return new Map([...new Set(names)].map(name => [name, names.filter(one => one === name).length]));
  }
}

function isAbout({ owner, effect }: LedgerRun, key: string): boolean {
  return owner === key || owner.endsWith(` ${key}`) || effect === key;
}

/** What a container does to the world, by its own words. */
export function effectOf({ env = [], command = [], args = [] }: Container): string | undefined {
  const variable = env.find(({ name }) => name === 'EFFECT')?.value;
  const argument = [...command, ...args].find(word => word.startsWith('EFFECT='));
  return variable ?? argument?.slice('EFFECT='.length);
}
