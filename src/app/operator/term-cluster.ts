import type {
  Account,
  Cluster,
  ListOptions,
  ObjectList,
  ObjectRef,
  ObjectType,
  StoredObject,
} from '../../cluster/cluster.ts';
import { FencedCluster } from '../../controller/runtime/fenced-cluster.ts';
import type { Redactor } from './redactor.ts';

/** What a cluster for one time in the lead goes by. */
export interface TermClusterOptions {
  /** Asked before every write, by the clock: also right where the process was held up and no signal could be given. */
  readonly mayAct: () => boolean;
  readonly redactor: Redactor;
}

/**
 * The cluster while this process leads: writes nothing once the lead is over, in nobody's name, and makes sure that what it read from
 * Secrets is in no log.
 */
export class TermCluster extends FencedCluster {
  readonly #cluster: Cluster;
  readonly #options: TermClusterOptions;

  constructor(cluster: Cluster, options: TermClusterOptions) {
    super(cluster, async () => options.mayAct());
    this.#cluster = cluster;
    this.#options = options;
  }

  override async get(ref: ObjectRef): Promise<StoredObject> {
    const object = await super.get(ref);
    this.#options.redactor.learn(object);
    return object;
  }

  override async list(type: ObjectType, options?: ListOptions): Promise<ObjectList> {
    const page = await super.list(type, options);
    for (const object of page.items) this.#options.redactor.learn(object);
    return page;
  }

  override as(account: Account): TermCluster {
    return new TermCluster(this.#cluster.as(account), this.#options);
  }
}
