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
import type { Indexes, Informer } from '../../reconcile/informer.ts';
import type { Reconciling } from '../../reconcile/reconcile.ts';
import { FencedCluster } from './fenced-cluster.ts';

/**
 * A cluster in which some kinds are read from what is at hand of them: no request, and as new as the last that was told. For who only
 * looks, and looks again when anything of it changes; what must be so at this very moment is asked of the cluster itself.
 */
export class FollowedCluster extends FencedCluster {
  readonly #informers: ReadonlyMap<string, Informer>;

  /** `mayWrite`: asked before every write, as for who is fenced; everything may be written unless told. */
  constructor(
    inner: Cluster,
    reconciling: Pick<Reconciling, 'informer'>,
    types: readonly ObjectType[],
    mayWrite: () => Promise<boolean> = async () => true,
  ) {
    super(inner, mayWrite);
    this.#informers = new Map(types.map(type => [keyOf(type), reconciling.informer(type, labelIndex)]));
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
    const { namespace, labelSelector: selector = '', limit = Number.POSITIVE_INFINITY, ...rest } = options;
    if (!informer || Object.keys(rest).length > 0) return super.list(type, options);
    const isSelected = labelSelector(selector);
    const isThere = ({ metadata }: StoredObject) =>
      namespace === undefined || metadata.namespace === namespace;
    const candidates = fewest(informer, namespace, selector);
    const items = candidates.filter(object => isThere(object) && isSelected(object));
    // What does not fit into one answer comes page by page, which only the cluster can give.
    if (items.length > limit) return super.list(type, options);
    return { items, resourceVersion: '' };
  }
}

const byLabel = 'label';

/** Objects by each of their labels: selectors mostly name one, and a cloud has thousands of Pods. */
const labelIndex: Indexes = {
  [byLabel]: ({ metadata }) =>
    Object.entries(metadata.labels ?? {}).map(([key, value]) => `${metadata.namespace} ${key}=${value}`),
};

/** All that can be meant: those with the first label that the selector asks for, where it asks for one. */
function fewest(
  informer: Informer,
  namespace: string | undefined,
  selector: string,
): readonly StoredObject[] {
  const [, label] = /^([\w./-]+=[\w.-]+)(?:,|$)/.exec(selector) ?? [];
  if (label === undefined || namespace === undefined) return informer.all();
  return informer.by(byLabel, `${namespace} ${label}`);
}

function keyOf({ apiVersion, kind }: ObjectType): string {
  return `${apiVersion} ${kind}`;
}
