/** What a program does that uses the official JavaScript client, and what it is told. */
import {
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  Watch,
} from '@kubernetes/client-node';

/** One call and its answer, without what no two worlds have in common. */
export interface Told {
  readonly call: string;
  readonly answer: unknown;
}

const namespace = 'by-client';
const metadata = { name: 'settings', namespace };

/** Calls a cluster as such a program does, in a namespace that it makes and removes. */
export async function clientSession(kubeconfig: string): Promise<readonly Told[]> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  const apps = config.makeApiClient(AppsV1Api);
  const objects = KubernetesObjectApi.makeApiClient(config);
  const told: Told[] = [];
  const tell = async (call: string, answer: Promise<unknown>) => {
    told.push({ call, answer: await answer.then(comparable, refusal) });
  };
  const kindOfPatch = (kind: string) => setHeaderOptions('Content-Type', kind);
  const map = { name: metadata.name, namespace };
  await tell('make a namespace', core.createNamespace({ body: { metadata: { name: namespace } } }));
  const seen = watchMaps(config);
  await seen.started;
  await tell('create', core.createNamespacedConfigMap({ namespace, body: { metadata, data: { a: '1' } } }));
  await tell('create again', core.createNamespacedConfigMap({ namespace, body: { metadata } }));
  await tell(
    'create nonsense',
    core.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'A b' } } }),
  );
  await tell('read', core.readNamespacedConfigMap(map));
  await tell('read what is not there', core.readNamespacedConfigMap({ ...map, name: 'nothing' }));
  const patches = [
    ['merge', PatchStrategy.MergePatch, { data: { b: '2', a: null } }],
    ['JSON', PatchStrategy.JsonPatch, [{ op: 'add', path: '/data/c', value: '3' }]],
    ['strategic', PatchStrategy.StrategicMergePatch, { metadata: { labels: { by: 'client' } } }],
  ] as const;
  for (const [name, kind, body] of patches)
    await tell(`${name} patch`, core.patchNamespacedConfigMap({ ...map, body }, kindOfPatch(kind)));
  await tell(
    'list by label',
    core
      .listNamespacedConfigMap({ namespace, labelSelector: 'by=client' })
      .then(list => list.items.map(({ metadata: of, data }) => [of?.name, data])),
  );
  const stale = { metadata: { ...metadata, resourceVersion: '1' }, data: {} };
  await tell('replace what changed since', core.replaceNamespacedConfigMap({ ...map, body: stale }));
  const applied = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'applied', namespace },
    data: { x: '1' },
  };
  const apply = (manager: string, data: object) =>
    objects.patch({ ...applied, data }, undefined, undefined, manager, false, PatchStrategy.ServerSideApply);
  await tell('apply', apply('one', { x: '1' }));
  await tell('apply against another', apply('two', { x: '2' }));
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'none' }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  await tell(
    'create a Deployment',
    apps
      .createNamespacedDeployment({ namespace, body: { metadata: { name: 'web' }, spec } })
      .then(made => [made.spec?.replicas, made.spec?.strategy?.type, made.metadata?.generation]),
  );
  await tell(
    'read its scale',
    apps.readNamespacedDeploymentScale({ name: 'web', namespace }).then(scale => scale.spec),
  );
  await tell(
    'delete',
    core.deleteNamespacedConfigMap(map).then(answer => answer.status),
  );
  told.push({ call: 'watch', answer: await seen.until('DELETED settings') });
  await core.deleteNamespace({ name: namespace });
  return told;
}

/** What a watch of ConfigMaps tells: `ADDED settings`. Those that a cluster itself puts into every namespace are left out. */
function watchMaps(config: KubeConfig) {
  const events: string[] = [];
  let news = () => {};
  const stop = new Watch(config).watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    { allowWatchBookmarks: true },
    (type: string, object: { metadata: { name?: string } }) => {
      const { name = '' } = object.metadata;
      if (type !== 'BOOKMARK' && !name.startsWith('kube-')) events.push(`${type} ${name}`);
      news();
    },
    () => news(),
  );
  return {
    started: stop,
    async until(last: string): Promise<readonly string[]> {
      const giveUpAt = performance.now() + 30_000;
      while (!events.includes(last) && performance.now() < giveUpAt)
        await new Promise<void>(resolve => {
          news = resolve;
          setTimeout(resolve, 1000);
        });
      (await stop).abort();
      return events;
    },
  };
}

const ownOfEachWorld = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'selfLink']);

/** The answer without what is another in every world. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, item: unknown) => (ownOfEachWorld.has(key) ? undefined : item)) ?? 'null',
  );
}

/** What the client says of a refusal: the code, and the Status of the server. */
function refusal(error: unknown): unknown {
  const { code, body } = error as { readonly code?: number; readonly body?: string };
  if (code === undefined || body === undefined) throw error;
  const { reason, message, details } = JSON.parse(body) as Record<string, unknown>;
  return comparable({ code, reason, message, details });
}
