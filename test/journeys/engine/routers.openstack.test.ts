/** Whole changes with real routers before the slices: nobody loses a request, and a router that is killed comes back as it was. */
import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startHaproxy } from '../../../src/testing/haproxy-program.ts';
import { startNginx } from '../../../src/testing/nginx-program.ts';
import { embeddedPlace, type JourneyPlace } from './journey-place.ts';
import { type JourneyWorld, openJourneyWorld, storyMs } from './journey-world.ts';

/** A router that runs, as far as a story meddles with it. */
interface Router {
  readonly place: { readonly address: string };
  kill(): Promise<void>;
  start(): Promise<void>;
}

const port = 8080;

describe.each([
  ['haproxy', startHaproxy],
  ['nginx', startNginx],
] as const)('a cloud behind a real %s', (name, startRouter) => {
  let world: JourneyWorld;
  let router: Router;

  /** This machine, with a router that packages name. */
  async function routedPlace(folder: string): Promise<JourneyPlace> {
    const files = join(folder, 'router');
    mkdirSync(files);
    const started = await startRouter(files);
    router = started;
    const routers = join(folder, 'routers.yaml');
    await writeFile(routers, stringify({ [name]: started.place }));
    const place = embeddedPlace(folder, { routers });
    const clientAddress = () => ({ address: started.place.address, port });
    const close = async () => {
      await started.kill();
      await place.close();
    };
    return { ...place, clientAddress, traffic: { router: name }, close };
  }

  beforeAll(async () => {
    world = await openJourneyWorld(routedPlace);
    for (const version of ['1.0.0', '1.1.0', '1.3.0']) world.aPackage('web', version, { head: '1' });
    world.aPackage('web', '1.2.0', { head: '1', faults: ['test'] });
    await world.apply({ services: [{ name: 'web', version: '1.0.0' }] });
    await world.untilFlowEnds('web', 'operational');
  }, storyMs);
  afterAll(() => world?.close(), storyMs);

  const change = async (version: string, end: Parameters<JourneyWorld['untilFlowEnds']>[1]) => {
    await world.apply({ services: [{ name: 'web', version }] });
    await world.untilFlowEnds('web', end);
  };

  test(
    'an upgrade loses no request and no write',
    async () => {
      const load = await world.load('web');
      await change('1.1.0', 'operational');
      await load.stop();
      expect(await load.checkWrites()).toMatchObject({ lost: [] });
      expect(load.lastFailure).toBeUndefined();
      expect(Object.keys(load.counts().byVersion).sort()).toEqual(['1.0.0', '1.1.0']);
      expect(await world.serving('web')).toMatchObject({ version: '1.1.0' });
    },
    storyMs,
  );

  test(
    'a version that fails its test never serves, and nobody notices',
    async () => {
      const load = await world.load('web');
      await change('1.2.0', 'rolledback');
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(Object.keys(load.counts().byVersion)).toEqual(['1.1.0']);
    },
    storyMs,
  );

  test(
    'a router that is killed while traffic moves comes back with the shares it had, and the change ends well',
    async () => {
      await world.apply({ services: [{ name: 'web', version: '1.3.0' }] });
      await world.until('traffic moves', async () => {
        const flow = await world.flowOf('web');
        return flow?.status?.moves?.some(
          ({ id, state }) => id.startsWith('main/give-traffic') && state !== 'done',
        );
      });
      await router.kill();
      await router.start();
      expect(await world.serving('web')).toBeDefined();
      await world.untilFlowEnds('web', 'operational');
      const load = await world.load('web');
      await world.until('requests', async () => load.counts().requests > 50);
      await load.stop();
      expect(load.lastFailure).toBeUndefined();
      expect(Object.keys(load.counts().byVersion)).toEqual(['1.3.0']);
    },
    storyMs,
  );
});
