import type { Clock } from '../../cluster/clock.ts';
import { lookForProcesses, type ProcessFamily } from './look-for-processes.ts';
import { bootOfMachine, type ProcessFacts, signalProcess } from './process-identity.ts';

interface Request {
  readonly family: ProcessFamily;
  readonly resolve: (left: readonly ProcessFacts[]) => void;
}

const gatherMilliseconds = 3;
const enoughLooks = 3;

/**
 * Ends families of processes. Families that are asked for at the same time are looked for together, so that a thousand ends do not mean
 * a thousand looks at all processes of the machine.
 */
export class ProcessSweeper {
  readonly #clock: Clock;
  readonly #patienceMilliseconds: number;
  #waiting: Request[] = [];
  #isSweeping = false;

  constructor(clock: Clock, patienceMilliseconds: number) {
    this.#clock = clock;
    this.#patienceMilliseconds = patienceMilliseconds;
  }

  /** Ends every process of a family, and returns those that could not be ended in time; none, as a rule. */
  end(family: ProcessFamily): Promise<readonly ProcessFacts[]> {
    const answer = new Promise<readonly ProcessFacts[]>(resolve => {
      this.#waiting.push({ family, resolve });
    });
    if (!this.#isSweeping) void this.#sweep();
    return answer;
  }

  async #sweep(): Promise<void> {
    this.#isSweeping = true;
    while (this.#waiting.length > 0) {
      // What ends together is told within moments.
      await this.#clock.sleep(gatherMilliseconds);
      const requests = this.#waiting;
      this.#waiting = [];
      await this.#endAll(requests);
    }
    this.#isSweeping = false;
  }

  async #endAll(requests: readonly Request[]): Promise<void> {
    const deadline = this.#clock.monotonic() + this.#patienceMilliseconds;
    let open = requests;
    let unsure = 0;
    for (let pause = 1; open.length > 0; pause = Math.min(pause * 2, 50)) {
      const { members, isUnsure } = lookForProcesses(open.map(({ family }) => family));
      // A busy machine is never quite still: a few looks that agree are enough.
      unsure = isUnsure ? unsure + 1 : 0;
      const isSure = unsure === 0 || unsure >= enoughLooks;
      const late = this.#clock.monotonic() >= deadline;
      open = open.filter(({ resolve }, index) => {
        const left = members[index] ?? [];
        if ((left.length === 0 && isSure) || late) {
          resolve(left);
          return false;
        }
        for (const { pid, started } of left)
          signalProcess({ pid, started, boot: bootOfMachine() }, 'SIGKILL');
        return true;
      });
      // A process is gone a moment after the signal; one that was just being made is found by the next look.
      if (open.length > 0) await this.#clock.sleep(pause);
    }
  }
}
