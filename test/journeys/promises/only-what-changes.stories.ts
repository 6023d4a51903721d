import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceLabel } from '../../../src/api/labels.ts';
import type { ObjectType, StoredObject } from '../../../src/cluster/cluster.ts';
import { type JourneyWorld, type OpenWorld, storyMs } from '../engine/journey-world.ts';
import { aService } from './service-package.ts';

/** What is looked at in a world. */
export interface Look {
  /** Kinds of objects that a service may have. */
  readonly types: (world: JourneyWorld) => readonly ObjectType[];
  /** Every process of these services, by its number and when it began; none where Pods tell that. */
  readonly processes: (world: JourneyWorld, services: readonly string[]) => readonly string[];
}

const others = ['stock', 'mail'];

/** How often the containers of a Pod began anew. */
function restartsOf({ status }: StoredObject): number {
  const { containerStatuses = [] } = (status ?? {}) as {
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
  return containerStatuses.reduce((all, { restartCount }) => all + restartCount, 0);
}

/** That a change touches its own service alone, told in the world that is given, with the kinds that are looked at and what else there is to see. */
export function onlyWhatChangesStories(open: OpenWorld, look: Look): void {
  let world: JourneyWorld;
  beforeAll(async () => {
    world = await open();
    for (const name of ['shop', 'stock']) aService(world, name, '1.0.0', { cron: true, key: 'first' });
    world.aPackage('mail', '1.0.0');
    aService(world, 'shop', '1.1.0', { cron: true, key: 'first' });
    await apply('1.0.0');
    await world.untilReady(120);
  }, storyMs);
  afterAll(() => world.close(), storyMs);

  const apply = (version: string) =>
    world.apply({
      maxParallel: 3,
      services: [
        { name: 'shop', version },
        { name: 'stock', version: '1.0.0' },
        { name: 'mail', version: '1.0.0' },
      ],
    });

  /** Every object of these services, by what changes when somebody writes it. */
  async function objects(): Promise<string[]> {
    const lines: string[] = [];
    for (const type of look.types(world)) {
      const { items } = await world.cluster.list(type, { namespace: world.namespace });
      for (const object of items) {
        const { labels, name, uid, resourceVersion } = object.metadata;
        if (!others.includes(labels?.[serviceLabel] ?? '')) continue;
        // A kubelet goes on telling of a Pod that nobody touches: there it counts who it is, and whether its containers began anew.
        lines.push(
          `${type.kind} ${name} ${uid} ${type.kind === 'Pod' ? restartsOf(object) : resourceVersion}`,
        );
      }
    }
    return lines.sort();
  }

  /** Everything there is to see of these services. */
  const all = async () => ({
    objects: await objects(),
    processes: look.processes(world, others),
    files: files(),
  });

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

  test(
    'an upgrade of one service touches no object, process or file of the others',
    async () => {
      // Controllers of a real cluster have a last word after everything is ready.
      const before = await world.until('a moment in which nothing moves', async () => {
        const first = await all();
        await pause(2000);
        return isDeepStrictEqual(await all(), first) && first;
      });
      expect(before.objects.filter(line => line.startsWith('Deployment'))).toHaveLength(2);
      expect(before.objects.filter(line => line.startsWith('Pod ')).length).toBeGreaterThanOrEqual(2);
      expect(before.files.length).toBeGreaterThan(0);
      await apply('1.1.0');
      await world.untilFlowEnds('shop', 'operational');
      await world.untilReady();
      expect(await world.serving('shop')).toMatchObject({ version: '1.1.0' });
      expect(await all()).toEqual(before);
      for (const name of others) expect(await world.flows(name)).toHaveLength(1);
    },
    storyMs,
  );
}
