import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EmbeddedCluster } from '../../cluster/embedded/embedded-cluster.ts';
import { configMap, refTo, StoreFolder } from '../../cluster/embedded/store-folder.contract.ts';
import { Redactor, redacted } from './redactor.ts';
import { TermCluster } from './term-cluster.ts';

let folder: StoreFolder;
let cluster: EmbeddedCluster;
beforeEach(async () => {
  folder = new StoreFolder();
  cluster = await folder.open();
});
afterEach(() => folder[Symbol.asyncDispose]());

it('writes only as long as it may, in whoever’s name', async () => {
  let mayAct = true;
  const own = new TermCluster(cluster, { mayAct: () => mayAct, redactor: new Redactor() });
  await own.as({ user: 'somebody' }).create(configMap('a'));
  mayAct = false;
  const refused = { reason: 'ServiceUnavailable' };
  await expect(own.create(configMap('b'))).rejects.toMatchObject(refused);
  await expect(own.as({ user: 'somebody' }).delete(refTo('a'))).rejects.toMatchObject(refused);
  expect((await own.get(refTo('a'))).metadata.name).toBe('a');
});

it('keeps what it reads from Secrets out of the log', async () => {
  const redactor = new Redactor();
  const own = new TermCluster(cluster, { mayAct: () => true, redactor });
  const type = { apiVersion: 'v1', kind: 'Secret' };
  const data = (value: string) => ({ key: Buffer.from(value).toString('base64') });
  for (const name of ['one', 'two'])
    await cluster.create({
      ...type,
      metadata: { name, namespace: 'default' },
      data: data(`value-of-${name}`),
    });
  await own.get({ ...type, namespace: 'default', name: 'one' });
  expect(redactor.clean('value-of-one value-of-two')).toBe(`${redacted} value-of-two`);
  await own.as({ user: 'somebody' }).list(type, { namespace: 'default' });
  expect(redactor.clean('value-of-one value-of-two')).toBe(`${redacted} ${redacted}`);
});
