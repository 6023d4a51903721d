import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceLabel } from '../../../src/api/labels.ts';
import type { EmbeddedCluster } from '../../../src/cluster/embedded/embedded-cluster.ts';
import { identityOf } from '../../../src/runtime/process/process-identity.ts';
import { type JourneyWorld, openJourneyWorld } from '../engine/journey-world.ts';
import { processesWith } from '../runtime/our-processes.ts';
import { aService } from './service-package.ts';

let world: JourneyWorld;
beforeAll(async () => {
  world = await openJourneyWorld();
  for (const name of ['shop', 'stock']) aService(world, name, '1.0.0', { cron: true, key: 'first' });
  world.aPackage('mail', '1.0.0');
  aService(world, 'shop', '1.1.0', { cron: true, key: 'first' });
  await apply('1.0.0');
  await world.untilReady(120);
}, 150_000);
afterAll(() => world.close(), 60_000);

const apply = (version: string) =>
  world.apply({
    maxParallel: 3,
    services: [
      { name: 'shop', version },
      { name: 'stock', version: '1.0.0' },
      { name: 'mail', version: '1.0.0' },
    ],
  });

const others = ['stock', 'mail'];

/** Every object of these services, by what changes when somebody writes it. */
async function objects(): Promise<string[]> {
  const lines: string[] = [];
  for (const { group, version, kind, isNamespaced } of (world.cluster as EmbeddedCluster).kinds()) {
    if (kind === 'Event' || !isNamespaced) continue;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const { items } = await world.cluster.list({ apiVersion, kind }, { namespace: world.namespace });
    for (const { metadata } of items) {
      if (!others.includes(metadata.labels?.[serviceLabel] ?? '')) continue;
      lines.push(`${kind} ${metadata.name} ${metadata.uid} ${metadata.resourceVersion}`);
    }
  }
  return lines.sort();
}

/** Every process of these services, by its number and when it began. */
function processes(): string[] {
  return others
    .flatMap(name => processesWith(`SERVICE=${name}`))
    .map(line => `${JSON.stringify(identityOf(Number(line.split(' ')[0])))} ${line}`)
    .filter(line => line.includes(world.folder))
    .sort();
}

/** Every file of these services, by its content. */
function files(): string[] {
  const folder = join(world.data.folder, 'mail');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
    })
    .sort();
}

test('an upgrade of one service touches no object, process or file of the others', async () => {
  const before = { objects: await objects(), processes: processes(), files: files() };
  expect(before.objects.filter(line => line.startsWith('Deployment'))).toHaveLength(2);
  expect(before.processes.length).toBeGreaterThanOrEqual(2);
  expect(before.files.length).toBeGreaterThan(0);
  await apply('1.1.0');
  await world.untilFlowEnds('shop', 'operational');
  await world.untilReady();
  expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
  expect({ objects: await objects(), processes: processes(), files: files() }).toEqual(before);
  for (const name of others) expect(await world.flows(name)).toHaveLength(1);
}, 120_000);
