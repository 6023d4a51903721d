import type { CutAt } from '../../../src/testing/cut-line.ts';
import { CutLine } from '../../../src/testing/cut-line.ts';
import { type Database, KillWorld } from './kill-world.ts';
import { endPicture } from './end-picture.ts';
import { ManagerLife } from './manager-life.ts';
import { RecordingLine } from './recording-line.ts';
import { walk } from './walk.ts';
import { Watcher } from './watcher.ts';

/** A world in which 1.0.0 serves, closed, to be copied. */
export interface Base {
  readonly folder: string;
  readonly wall: number;
  readonly database: Database;
  remove(): void;
}

/** Installs the first version, once for all runs. */
export async function makeBase(): Promise<Base> {
  const world = await KillWorld.open();
  await world.wish('1.0.0');
  const life = new ManagerLife(world);
  const onCut = () => Promise.reject(new TypeError('nobody cut it'));
  await walk(world, new Watcher(world, true), () => [life], { plans: 1, onCut });
  await life.end();
  await world.close();
  const { folder, database } = world;
  return { folder, wall: world.clock.wall(), database, remove: () => world.remove() };
}

export interface Story {
  readonly version: string;
  /** Whether nobody serves for a while, as the plan says. */
  readonly hasOutage: boolean;
}

/** How a run ended. */
export interface RunEnd {
  readonly picture: readonly string[];
  /** What was seen on the way that must never be. */
  readonly wrong: readonly string[];
  /** What went wrong in passes and was tried again. */
  readonly troubles: readonly string[];
}

async function inCopy<T>(base: Base, work: (world: KillWorld) => Promise<T>): Promise<T> {
  const world = await KillWorld.open(base);
  try {
    return await work(world);
  } finally {
    await world.close();
    world.remove();
  }
}

/** The story without a kill, every call of it noted. */
export function recordStory(base: Base, story: Story): Promise<RunEnd & { readonly line: RecordingLine }> {
  return inCopy(base, async world => {
    const line = new RecordingLine(world);
    const end = await tell(world, story, [line]);
    return { ...end, line };
  });
}

/** The story with a manager that is killed there, and one that comes after it. */
export function cutStory(base: Base, story: Story, cutAt: CutAt): Promise<RunEnd> {
  return inCopy(base, world => tell(world, story, [new CutLine(cutAt), new CutLine()]));
}

async function tell(world: KillWorld, { version, hasOutage }: Story, lines: readonly CutLine[]): Promise<RunEnd> {
  await world.wish(version);
  const watcher = new Watcher(world, hasOutage);
  const [first, ...others] = lines;
  let life = new ManagerLife(world, first);
  const troubles: string[] = [];
  try {
    await walk(world, watcher, () => [life], {
      plans: 2,
      onCut: async () => {
        await life.end();
        troubles.push(...life.troubles);
        life = new ManagerLife(world, others.shift());
      },
    });
  } finally {
    await life.end();
  }
  troubles.push(...life.troubles);
  return { picture: await endPicture(world), wrong: [...watcher.wrong], troubles };
}
