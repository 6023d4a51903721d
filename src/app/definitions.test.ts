import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  definitionName,
  schemaDigestAnnotation,
  schemaGenerationAnnotation,
} from '../api/definition-schema.ts';
import { openstackDeployment } from '../api/openstack-deployment.ts';
import { oslc } from '../api/oslc.ts';
import { schemaGenerations } from '../api/schema-generations.ts';
import { systemClock } from '../cluster/clock.ts';
import { eventually } from '../cluster/contract/case-world.contract.ts';
import type { EmbeddedCluster } from '../cluster/embedded/embedded-cluster.ts';
import { StoreFolder } from '../cluster/embedded/store-folder.contract.ts';
import {
  checkDefinitions,
  definitionType,
  findOtherDefinitions,
  warnOfOldDefinitions,
} from './definitions.ts';
import { openLog } from './operator/operator-log.ts';
import { OperatorMetrics } from './operator/operator-metrics.ts';
import { OperatorState } from './operator/operator-state.ts';
import { Redactor } from './operator/redactor.ts';
import { untilDefinitionsFit } from './operator/until-definitions-fit.ts';

const now = schemaGenerations.length;
let folder: StoreFolder;
let cluster: EmbeddedCluster;

beforeEach(async () => {
  folder = new StoreFolder();
  cluster = await folder.open();
});
afterEach(() => folder[Symbol.asyncDispose]());

const refOf = (kind: { plural: string }) => ({ ...definitionType, name: definitionName(kind) });
const annotate = (kind: { plural: string }, annotations: Readonly<Record<string, string>>) =>
  cluster.patch(refOf(kind), { type: 'merge', value: { metadata: { annotations } } });
const make = (kind: { plural: string }, generation: number) =>
  annotate(kind, {
    [schemaDigestAnnotation]: 'sha256:other',
    [schemaGenerationAnnotation]: String(generation),
  });

it('finds nothing to say of definitions that this program put there', async () => {
  expect(await findOtherDefinitions(cluster)).toEqual({ older: [], newer: [] });
  expect(await warnOfOldDefinitions(cluster)).toBeUndefined();
  expect(await checkDefinitions(cluster)).toMatchObject({ state: 'ok' });
});

it('tells older ones from newer ones, and those that are not there are older', async () => {
  await make(oslc, now + 1);
  expect(await findOtherDefinitions(cluster)).toEqual({ older: [], newer: [oslc.plural] });
  expect(await checkDefinitions(cluster)).toMatchObject({ state: 'warning' });
  await make(openstackDeployment, now - 1);
  expect(await findOtherDefinitions(cluster)).toEqual({
    older: [openstackDeployment.plural],
    newer: [oslc.plural],
  });
  expect(await checkDefinitions(cluster)).toMatchObject({ state: 'failed' });
  expect(await warnOfOldDefinitions(cluster)).toContain('afloat install');
  await cluster.delete(refOf(oslc));
  await eventually('it is gone, and counts as older', async () =>
    (await findOtherDefinitions(cluster)).older.includes(oslc.plural),
  );
});

it('a store that is opened again has the definitions of the program that opens it, and what others noted on them', async () => {
  await make(oslc, now - 1);
  await annotate(oslc, { 'example.com/note': 'kept' });
  await cluster.close();
  cluster = await folder.open();
  expect(await findOtherDefinitions(cluster)).toEqual({ older: [], newer: [] });
  expect((await cluster.get(refOf(oslc))).metadata.annotations).toMatchObject({ 'example.com/note': 'kept' });
});

it('an operator waits for ten seconds, looks again, and goes on when they fit', async () => {
  const before = (await cluster.get(refOf(oslc))).metadata.annotations ?? {};
  await make(oslc, now - 1);
  const lines: string[] = [];
  const state = new OperatorState(new OperatorMetrics());
  const log = openLog({
    ...{ level: 'info', format: 'json', redactor: new Redactor() },
    write: line => void lines.push(line),
  });
  const stop = new AbortController();
  let looks = 0;
  const fits = untilDefinitionsFit({
    ...{ cluster, log, state, signal: stop.signal },
    clock: {
      ...systemClock,
      sleep: async milliseconds => {
        looks += 1;
        expect(milliseconds).toBe(10_000);
        expect([state.isReady, state.says]).toEqual([false, expect.stringContaining(oslc.plural)]);
        if (looks === 2) await annotate(oslc, before);
      },
    },
  });
  expect(await fits).toBe(true);
  expect(looks).toBe(2);
  expect(lines.map(line => JSON.parse(line).level)).toEqual(['error', 'info']);
});
