import { CodedError } from '../../../base/coded-error.ts';
import type { ContainerId } from '../containers.ts';
import { runKey } from './run-folder.ts';
import { TrackedRun } from './tracked-run.ts';

/** The runs that are known, of each Pod in the order in which they became known. */
export class RunBook {
  readonly #pods = new Map<string, Map<string, TrackedRun>>();

  get(id: ContainerId): TrackedRun | undefined {
    return this.#pods.get(id.podUid)?.get(runKey(id));
  }

  /** The run of that id, known from now on. */
  track(id: ContainerId, folder: string): TrackedRun {
    const known = this.get(id);
    if (known) return known;
    const run = new TrackedRun(id, folder);
    const ofPod = this.#pods.get(id.podUid) ?? new Map<string, TrackedRun>();
    this.#pods.set(id.podUid, ofPod.set(runKey(id), run));
    return run;
  }

  drop(id: ContainerId): void {
    const ofPod = this.#pods.get(id.podUid);
    ofPod?.delete(runKey(id));
    if (ofPod?.size === 0) this.#pods.delete(id.podUid);
  }

  all(): TrackedRun[] {
    return [...this.#pods.values()].flatMap(runs => [...runs.values()]);
  }

  ofPod(podUid: string): TrackedRun[] {
    return [...(this.#pods.get(podUid)?.values() ?? [])];
  }

  /** The run of that id, which must be there. */
  expect(id: ContainerId): TrackedRun {
    const run = this.get(id);
    if (!run)
      throw new CodedError('ContainerNotFound', `there is no run ${id.podUid}/${id.name}/${id.attempt}`);
    return run;
  }
}
