/** What a write is about. */
export type WrittenKind = 'user' | 'project' | 'role assignment' | 'application credential' | 'token';

/** Something that was written, and what was acknowledged of it last. */
export interface Entry {
  readonly kind: WrittenKind;
  readonly id: string;
  /** Where it is read. */
  readonly path: string;
  /** What finds it where the path is not enough: a token. */
  readonly subject?: string;
  /** For an assignment: user, project, role. */
  readonly assigned?: readonly [user: string, project: string, role: string];
  /** It is never removed: it must be there to the end, whatever is changed meanwhile. */
  readonly stays?: boolean;
  isThere: boolean;
  description?: string;
  /** A write that may or may not have been carried out: nobody was told. */
  isUnsure: boolean;
}

/** Every acknowledged write, and what can be used for the next ones. */
export class WriteLedger {
  readonly entries: Entry[] = [];
  readonly #idle = new Map<string, Entry[]>();
  /** Creations of which nobody was told whether they were carried out. */
  unsureCreations = 0;

  /** Something new that was acknowledged. */
  add(entry: Entry): void {
    this.entries.push(entry);
    this.giveBack(entry);
  }

  /** Something that nobody else uses at this moment; undefined where there is none. It is given back, or retires. */
  take(kind: WrittenKind, isThere: boolean, toRemove = false): Entry | undefined {
    const idle = this.#idle.get(poolOf(kind, isThere)) ?? [];
    const usable = toRemove ? idle.filter(({ stays }) => !stays) : idle;
    const taken = usable[Math.floor(Math.random() * usable.length)];
    if (taken) idle.splice(idle.indexOf(taken), 1);
    return taken;
  }

  giveBack(entry: Entry): void {
    const pool = poolOf(entry.kind, entry.isThere);
    const idle = this.#idle.get(pool) ?? [];
    this.#idle.set(pool, idle);
    idle.push(entry);
  }
}

function poolOf(kind: WrittenKind, isThere: boolean): string {
  return `${kind}/${isThere}`;
}
