import type {
  Cluster,
  ListOptions,
  ObjectList,
  ObjectRef,
  ObjectType,
  StoredObject,
} from '../../cluster/cluster.ts';
import { ClusterError } from '../../cluster/cluster-error.ts';
import { labelSelector } from '../../cluster/embedded/select/label-selector.ts';
import type { Informer } from '../../reconcile/informer.ts';
import type { Reconciling } from '../../reconcile/reconcile.ts';
import { FencedCluster } from './fenced-cluster.ts';

/**
 * A cluster in which some kinds are read from what is at hand of them: no request, and as new as the last that was told. For who only
 * looks, and looks again when anything of it changes; what must be so at this very moment is asked of the cluster itself.
 */
export class FollowedCluster extends FencedCluster {
  readonly #informers: ReadonlyMap<string, Informer>;

  constructor(inner: Cluster, reconciling: Pick<Reconciling, 'informer'>, types: readonly ObjectType[]) {
    super(inner, async () => true);
    this.#informers = new Map(types.map(type => [keyOf(type), reconciling.informer(type)]));
  }

  override async get(ref: ObjectRef): Promise<StoredObject> {
    const informer = this.#informers.get(keyOf(ref));
    if (!informer) return super.get(ref);
    const found = informer.get(ref.namespace, ref.name);
    if (!found) throw new ClusterError('NotFound', `${ref.kind} ${ref.name} is not there`);
    return found;
  }

  override async list(type: ObjectType, options: ListOptions = {}): Promise<ObjectList> {
    const informer = this.#informers.get(keyOf(type));
    const { namespace, labelSelector: selector = '', ...rest } = options;
    if (!informer || Object.keys(rest).length > 0) return super.list(type, options);
    const isSelected = labelSelector(selector);
    const isThere = ({ metadata }: StoredObject) =>
      namespace === undefined || metadata.namespace === namespace;
    const items = informer.all().filter(object => isThere(object) && isSelected(object));
    return { items, resourceVersion: '' };
  }
}

function keyOf({ apiVersion, kind }: ObjectType): string {
  return `${apiVersion} ${kind}`;
}
