import { type CutAt, CutLine } from '../../../src/testing/cut-line.ts';
import { endPicture } from './end-picture.ts';
import { type Database, KillWorld } from './kill-world.ts';
import { ManagerLife } from './manager-life.ts';
import { PauseLine } from './pause-line.ts';
import { RecordingLine } from './recording-line.ts';
import { settle, type Walk, walk } from './walk.ts';
import { Watcher } from './watcher.ts';
import { WriteCutLine } from './write-cut-line.ts';

/** A world in which 1.0.0 serves, closed, to be copied. */
export interface Base {
  readonly folder: string;
  readonly wall: number;
  readonly database: Database;
  remove(): void;
}

/** An upgrade to a version, and what may be seen on the way. */
export interface Story {
  readonly version: string;
  /** Whether nobody serves for a while, as the plan says. */
  readonly hasOutage: boolean;
}

/** How a run ended. */
export interface RunEnd {
  /** What is there in the end, line by line. */
  readonly picture: readonly string[];
  /** What was seen on the way that must never be. */
  readonly wrong: readonly string[];
  /** What went wrong in passes and was tried again. */
  readonly troubles: readonly string[];
}

/** Installs the first version, once for all runs. */
export async function makeBase(): Promise<Base> {
  const world = await KillWorld.open();
  await world.wish('1.0.0');
  const life = new ManagerLife(world);
  const watcher = new Watcher(world, true);
  await walk({ world, watcher, plans: 1, lives: () => [life], atRest: async () => false });
  await life.end();
  await world.close();
  const { folder, database } = world;
  return { folder, wall: world.clock.wall(), database, remove: () => world.remove() };
}

/** The story without a kill, every call of it noted. */
export function recordStory(base: Base, story: Story): Promise<RunEnd & { readonly line: RecordingLine }> {
  return inCopy(base, story, async (world, watcher) => {
    const line = new RecordingLine(world);
    const lives = [new ManagerLife(world, line)];
    await walkAll({ world, watcher, plans: 2, lives: () => lives, atRest: async () => false });
    return { ...(await endOf(world, watcher, lives)), line };
  });
}

/** The story with a manager that is killed there, and one that comes after it. */
export function cutStory(base: Base, story: Story, cutAt: CutAt): Promise<RunEnd & { lives: number }> {
  return storyOfLives(base, story, count => new CutLine(count === 0 ? cutAt : undefined));
}

/** The story with managers that are killed one after the other, each at the write with its number; the last one is not. */
export function manyCutsStory(
  base: Base,
  story: Story,
  writes: readonly number[],
): Promise<RunEnd & { lives: number }> {
  return storyOfLives(base, story, count => {
    const at = writes[count];
    return at === undefined ? new CutLine() : new WriteCutLine(at);
  });
}

function storyOfLives(
  base: Base,
  story: Story,
  lineOf: (count: number) => CutLine,
): Promise<RunEnd & { lives: number }> {
  return inCopy(base, story, async (world, watcher) => {
    const lives = [new ManagerLife(world, lineOf(0))];
    const atRest = async () => {
      const last = lives.at(-1);
      if (!last?.line.isCut) return false;
      await last.end();
      lives.push(new ManagerLife(world, lineOf(lives.length)));
      return true;
    };
    await walkAll({ world, watcher, plans: 2, lives: () => lives, atRest });
    return { ...(await endOf(world, watcher, lives)), lives: lives.length };
  });
}

/**
 * The story with a manager that is stopped at a call and believed dead: another one takes over, and when the world has come to rest so
 * often, the first one goes on beside it. At the latest it does so when all is over.
 */
export function pausedStory(base: Base, story: Story, pauseAt: number, rests: number): Promise<RunEnd> {
  return inCopy(base, story, async (world, watcher) => {
    const line = new PauseLine(pauseAt);
    const lives = [new ManagerLife(world, line)];
    let rested = 0;
    const atRest = async () => {
      if (!line.isPaused) return false;
      if (lives.length === 1) {
        lives.push(new ManagerLife(world));
        return true;
      }
      rested += 1;
      if (rested <= rests) return false;
      line.resume();
      return true;
    };
    const way = { world, watcher, plans: 2, lives: () => lives, atRest };
    await walkAll(way, async () => {
      line.resume();
      await settle(way);
    });
    return endOf(world, watcher, lives);
  });
}

/** Walks to the end; whatever comes of it, no manager is left. */
async function walkAll(way: Walk, afterwards = async () => {}): Promise<void> {
  try {
    await walk(way);
    await afterwards();
  } finally {
    for (const life of way.lives()) await life.end();
  }
}

async function endOf(world: KillWorld, watcher: Watcher, lives: readonly ManagerLife[]): Promise<RunEnd> {
  const troubles = lives.flatMap(life => life.troubles);
  return { picture: await endPicture(world), wrong: [...watcher.wrong], troubles };
}

async function inCopy<T>(
  base: Base,
  { version, hasOutage }: Story,
  work: (world: KillWorld, watcher: Watcher) => Promise<T>,
): Promise<T> {
  const world = await KillWorld.open(base);
  try {
    await world.wish(version);
    return await work(world, new Watcher(world, hasOutage));
  } finally {
    await world.close();
    world.remove();
  }
}
