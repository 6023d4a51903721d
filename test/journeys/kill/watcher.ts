import { serviceLabel, sliceLabel, taskLabel } from '../../../src/api/labels.ts';
import type { StoredObject } from '../../../src/cluster/cluster.ts';
import { flowType, phaseTypes, planType, recordType } from '../../../src/controller/our-objects.ts';
import { checkConditions } from '../../../src/status/check-conditions.ts';
import { service } from './kill-packages.ts';
import type { KillWorld } from './kill-world.ts';
import { namespace } from './kill-world.ts';

const ourTypes = [recordType, planType, flowType, ...phaseTypes];

/** What of a pod tells which version it is. */
interface ServingPod extends StoredObject {
  readonly spec: { readonly containers: readonly { readonly image: string }[] };
}

interface TestJob extends StoredObject {
  readonly spec: { readonly template: ServingPod };
  readonly status?: { readonly succeeded?: number };
}

/** Looks at the world whenever it rests, and writes down what must never be. */
export class Watcher {
  /** What was seen that must never be, each once. */
  readonly wrong = new Set<string>();
  readonly #world: KillWorld;
  readonly #hasOutage: boolean;

  constructor(world: KillWorld, hasOutage = false) {
    this.#world = world;
    this.#hasOutage = hasOutage;
  }

  /** One round of clients: somebody serves them, and only who passed a test of its own. */
  async look(): Promise<void> {
    const { cluster, meter } = this.#world;
    const served = (await meter.look(cluster)).find(one => one.service.metadata.name === service);
    if (!served) return;
    if (served.slices.size === 0 && !this.#hasOutage) this.wrong.add('nobody serves clients');
    const tested = await this.#testedSlices();
    const { items } = await cluster.list(
      { apiVersion: 'v1', kind: 'Pod' },
      { namespace, labelSelector: sliceLabel },
    );
    for (const pod of items as readonly ServingPod[]) {
      const slice = pod.metadata.labels?.[sliceLabel] ?? '';
      const image = pod.spec.containers[0]?.image ?? '';
      if (pod.metadata.labels?.[taskLabel] !== undefined || !served.slices.has(slice)) continue;
      if (!tested.has(`${slice} ${image}`)) this.wrong.add(`${image} in ${slice} serves and was not tested`);
    }
    for (const type of ourTypes)
      for (const object of (await cluster.list(type, { namespace })).items)
        for (const wrong of checkConditions(object as never)) this.wrong.add(wrong);
  }

  async #testedSlices(): Promise<ReadonlySet<string>> {
    const { items } = await this.#world.cluster.list(
      { apiVersion: 'batch/v1', kind: 'Job' },
      { namespace, labelSelector: `${taskLabel}=api-test,${serviceLabel}=${service}` },
    );
    const passed = (items as readonly TestJob[]).filter(({ status }) => status?.succeeded === 1);
    return new Set(
      passed.map(({ spec }) => {
        const { metadata, spec: pod } = spec.template;
        return `${metadata.labels?.[sliceLabel]} ${pod.containers[0]?.image}`;
      }),
    );
  }

  /** Where everything stands, for a message. */
  async dump(): Promise<string> {
    const lines: string[] = [];
    for (const type of ourTypes)
      for (const { metadata, ...object } of (await this.#world.cluster.list(type, { namespace })).items)
        lines.push(`${object.kind} ${metadata.name} ${JSON.stringify(object['status'])?.slice(0, 700)}`);
    return lines.join('\n');
  }
}
