import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flowLabel, managedByLabel, packageLabel } from '../../api/labels.ts';
import type { Source } from '../../api/openstack-deployment.ts';
import { digestJson, shortDigest } from '../../base/digest.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../../cluster/embedded/store-folder.contract.ts';
import { CutCluster } from '../../testing/cut-cluster.ts';
import { Cut, CutLine, everyCut } from '../../testing/cut-line.ts';
import { ClusterPackages } from './cluster-packages.ts';
import { findUnneeded, forgetUnneeded, type Needs } from './forget-unneeded.ts';
import { type IndexEntry, readIndex, sourceKey } from './package-index.ts';
import { pushPackages } from './push-packages.ts';
import { aPackage, secretNames, secretsOf } from './store-world.contract.ts';

const now = Date.UTC(2026, 0, 10);
const [longAgo, justNow] = ['2026-01-01T00:00:00Z', '2026-01-09T23:59:00Z'];
const digest = (name: string) => digestJson(name);

function secret(name: string, labels: Record<string, string>, created = longAgo): StoredObject {
  const metadata = {
    name,
    namespace: 'default',
    uid: name,
    resourceVersion: '1',
    creationTimestamp: created,
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, labels: { [managedByLabel]: 'afloat', ...labels } },
  };
}

const chunk = (name: string, created?: string) =>
  secret(`afloat-package-${name}-0`, { [packageLabel]: shortDigest(digest(name)) }, created);
const manifest = (name: string, flow: string, of: string) =>
  secret(`afloat-manifests-${name}-0`, { [flowLabel]: flow, [packageLabel]: shortDigest(digest(of)) });
const source = (name: string): Source => ({ type: 'local', location: `p/${name}` });
const indexed = (name: string, pushedAt = longAgo): [string, IndexEntry] => [
  sourceKey(source(name)),
  { ...source(name), digest: digest(name), chunks: 1, pushedAt },
];

function revision(of: string, manifests: string[]): Needs['revisions'][number] {
  const part = {
    component: 'api',
    version: '1',
    packageDigest: digest(of),
    inventory: [],
    slices: [],
    manifests,
  };
  return { parts: [part] };
}

function unneeded(needs: Partial<Needs>): string[] {
  const found = findUnneeded({
    revisions: [],
    flows: [],
    wanted: [],
    index: new Map(),
    secrets: [],
    now,
    ...needs,
  });
  return [...found.secrets.map(({ metadata }) => metadata.name), ...found.entries];
}

describe('findUnneeded', () => {
  it('lets go of what nothing needs', () => {
    const secrets = [chunk('old'), manifest('old', 'gone', 'old')];
    expect(unneeded({ secrets, index: new Map([indexed('old')]) })).toEqual([
      'afloat-package-old-0',
      'afloat-manifests-old-0',
      indexed('old')[0],
    ]);
  });

  it('keeps what a revision names, packages and manifests', () => {
    const secrets = [chunk('old'), manifest('old', 'gone', 'old')];
    const revisions = [revision('old', ['afloat-manifests-old-0'])];
    expect(unneeded({ secrets, revisions, index: new Map([indexed('old')]) })).toEqual([]);
  });

  it('keeps the package of manifests that are needed', () => {
    const secrets = [chunk('tool'), manifest('old', 'gone', 'tool')];
    expect(unneeded({ secrets, revisions: [revision('old', ['afloat-manifests-old-0'])] })).toEqual([]);
  });

  it('keeps what a running flow kept, also where it has not written that down yet', () => {
    const secrets = [manifest('a', 'running', 'a'), manifest('b', 'gone', 'b'), chunk('a')];
    const flows = [{ name: 'running', spec: {} }];
    expect(unneeded({ secrets, flows })).toEqual(['afloat-manifests-b-0']);
    const writtenDown = [{ name: 'other', spec: {}, status: { manifests: ['afloat-manifests-b-0'] } }];
    expect(unneeded({ secrets, flows: writtenDown })).toEqual(['afloat-package-a-0', 'afloat-manifests-a-0']);
  });

  it('keeps the packages a running flow comes from and goes to', () => {
    const step = {
      from: { version: '1', packageDigest: digest('from') },
      to: { version: '2', packageDigest: digest('to') },
    };
    const planned = { step } as unknown as NonNullable<Needs['flows'][number]['spec']['planned']>;
    const secrets = [chunk('from'), chunk('to'), chunk('other')];
    expect(unneeded({ secrets, flows: [{ name: 'f', spec: { planned } }] })).toEqual([
      'afloat-package-other-0',
    ]);
  });

  it('keeps what the record asks for, and what was pushed just now', () => {
    const secrets = [chunk('wished'), chunk('fresh'), chunk('stale'), chunk('half', justNow)];
    const index = new Map([indexed('wished'), indexed('fresh', justNow), indexed('stale')]);
    expect(unneeded({ secrets, index, wanted: [source('wished')] })).toEqual([
      'afloat-package-stale-0',
      indexed('stale')[0],
    ]);
  });

  it('names nothing that is not ours', () => {
    const foreign = { ...chunk('old'), metadata: { ...chunk('old').metadata, labels: {} } };
    expect(unneeded({ secrets: [foreign, secret('afloat-digest-key', {})] })).toEqual([]);
  });
});

describe('forgetUnneeded', () => {
  let folder: StoreFolder;
  let cluster: EmbeddedCluster;

  beforeEach(async () => {
    folder = new StoreFolder();
    cluster = await folder.open();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  it('takes away what may go, wherever it is cut off before, and leaves the rest', async () => {
    const [kept, gone] = [aPackage('kept', { a: 'kept' }), aPackage('gone', { a: 'gone' })];
    const needs = async (): Promise<Needs> => ({
      ...{ revisions: [], flows: [], wanted: [kept.source], now: Date.now() + 1000, graceSeconds: 0 },
      index: await readIndex(cluster, 'default'),
      secrets: await secretsOf(cluster, 'default'),
    });
    for (const at of everyCut(2)) {
      await pushPackages(cluster, 'default', [kept, gone]);
      expect(await secretNames(cluster, 'default')).toHaveLength(2);
      const process = new CutCluster(cluster, new CutLine(at));
      await expect(forgetUnneeded(process, 'default', findUnneeded(await needs()))).rejects.toThrow(Cut);
      const packages = new ClusterPackages(cluster, 'default');
      const left = await packages.read(gone.source);
      if (!left.ok) expect(left.findings.map(({ code }) => code)).toEqual(['PackageNotInCluster']);
      await forgetUnneeded(cluster, 'default', findUnneeded(await needs()));
      expect(await secretNames(cluster, 'default')).toHaveLength(1);
      expect([...(await readIndex(cluster, 'default')).keys()]).toEqual([sourceKey(kept.source)]);
      expect(await packages.read(kept.source)).toMatchObject({ ok: true });
    }
  });
});
