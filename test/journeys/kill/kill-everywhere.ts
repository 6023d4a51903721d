import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CutAt, everyCut } from '../../../src/testing/cut-line.ts';
import {
  type Base,
  cutStory,
  makeBase,
  manyCutsStory,
  pausedStory,
  type RunEnd,
  recordStory,
  type Story,
} from './kill-story.ts';
import { isWrite, type RecordingLine } from './recording-line.ts';

const minutes = 60_000;

/** All kills take minutes: elsewhere than in continuous integration, and unless `AFLOAT_KILLS=all` says so, only some of them are done. */
const doesAll = process.env['CI'] !== undefined || process.env['AFLOAT_KILLS'] === 'all';
const sample = doesAll ? 1 : 5;

/** The part of all kills that one file does. */
export interface Share {
  readonly story: Story;
  /** Which of how many files: 1 of 3. */
  readonly file: number;
  readonly files: number;
  /** Only every n-th of the kills of this file; all unless told. */
  readonly every?: number;
  /** Until this kind of object is made the story is that of another file, which does all kills: here only every fourth is done. */
  readonly sharedUntil?: string;
}

/** Runs of one story, compared with the one in which nobody is killed. */
class Comparison {
  readonly #story: Story;
  #base: Base | undefined;
  #whole: (RunEnd & { readonly line: RecordingLine }) | undefined;

  constructor(story: Story) {
    this.#story = story;
  }

  async open(): Promise<void> {
    this.#base = await makeBase();
    this.#whole = await recordStory(this.#base, this.#story);
  }

  close(): void {
    this.#base?.remove();
  }

  get base(): Base {
    if (!this.#base) throw new TypeError('not open');
    return this.#base;
  }

  get whole(): RunEnd & { readonly line: RecordingLine } {
    if (!this.#whole) throw new TypeError('not open');
    return this.#whole;
  }

  /** What differs from the run without a kill; empty where nothing does. */
  async differences(run: (base: Base, story: Story) => Promise<RunEnd>): Promise<readonly string[]> {
    let end: RunEnd;
    try {
      end = await run(this.base, this.#story);
    } catch (error) {
      return [`it does not end: ${error instanceof Error ? error.message : String(error)}`];
    }
    const { picture } = this.whole;
    return [
      ...surplus(picture, end.picture).map(line => `missing: ${line}`),
      ...surplus(end.picture, picture).map(line => `too much: ${line}`),
      ...end.wrong.map(line => `on the way: ${line}`),
    ];
  }

  /** Where a manager is in a call, for messages. */
  say(call: number): string {
    const { verb, about } = this.whole.line.calls()[call - 1] ?? { verb: '?', about: '' };
    return `call ${call}, ${verb} ${about}`;
  }
}

/** Lines of one list that another does not have, or not as often. */
function surplus(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter(line => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function open(story: Story): Comparison {
  const comparison = new Comparison(story);
  beforeAll(() => comparison.open(), 2 * minutes);
  afterAll(() => comparison.close());
  return comparison;
}

/** A manager is killed at every call, before and after it; kills that leave the same world are done once. */
export function killEverywhere(what: string, { story, file, files, every = 1, sharedUntil }: Share): void {
  describe(what, () => {
    const comparison = open(story);

    test('a run without a kill ends the same each time, and sees nothing that must never be', {
      timeout: 5 * minutes,
    }, async () => {
      const again = await recordStory(comparison.base, story);
      expect([again.wrong, again.troubles, comparison.whole.wrong]).toEqual([[], [], []]);
      expect(again.picture).toEqual(comparison.whole.picture);
    });

    test('a kill at any call changes nothing of the end', { timeout: 30 * minutes }, async () => {
      const { line } = comparison.whole;
      const parting = partingCall(line, sharedUntil);
      const told = line.distinctCuts().filter(({ call }, index) => call >= parting || index % 4 === 0);
      const cuts = told.filter((_, index) => index % files === file - 1);
      const own = cuts.filter((_, index) => index % (every * sample) === 0);
      const all = everyCut(line.calls().length).length;
      process.stdout.write(
        `${what}: ${line.calls().length} calls, ${all} cuts, ${line.distinctCuts().length} worlds, ${own.length} of them here\n`,
      );
      const found: Record<string, readonly string[]> = {};
      for (const cut of own) {
        const differences = await comparison.differences((base, of) => cutStory(base, of, cut));
        if (differences.length > 0) found[sayCut(comparison, cut)] = differences;
      }
      expect(found).toEqual({});
    });
  });
}

/** The call with which a story becomes one of its own. */
function partingCall(line: RecordingLine, sharedUntil: string | undefined): number {
  if (sharedUntil === undefined) return 0;
  const found = line
    .calls()
    .find(({ verb, about }) => verb === 'cluster.create' && about.startsWith(sharedUntil));
  if (!found) throw new TypeError(`no ${sharedUntil} is made`);
  return found.call;
}

function sayCut(comparison: Comparison, { call, when }: CutAt): string {
  return `${when} ${comparison.say(call)}`;
}

/** Managers are killed one after the other, each after so many writes. */
export function killAgainAndAgain(what: string, story: Story): void {
  describe(what, () => {
    const comparison = open(story);

    test.each([9, 11, 14, 17, 23, 40])(
      'killed after every %i writes, it comes to the same end',
      {
        timeout: 10 * minutes,
      },
      async writes => {
        const kills = Array.from({ length: 200 }, () => writes);
        expect(await comparison.differences((base, of) => manyCutsStory(base, of, kills))).toEqual([]);
      },
    );
  });
}

/**
 * A manager is stopped at a call and believed dead, another takes over, the first one goes on: at once, later, or when all is over. A write
 * that was on its way already cannot be told from one that came in time; seconds late, it is not tried.
 */
export function pauseEverywhere(what: string, { story, file, files, every = 1 }: Share): void {
  describe(what, () => {
    const comparison = open(story);

    test.each([
      { says: 'goes on beside the next one', rests: 0 },
      { says: 'goes on a few seconds later', rests: 4 },
      { says: 'goes on when all is over', rests: 1000 },
    ])(
      'a manager that was stopped and $says changes nothing',
      { timeout: 30 * minutes },
      async ({ rests }) => {
        const calls = comparison.whole.line.calls().filter(({ verb }) => rests === 0 || !isWrite(verb));
        const own = calls.filter((_, index) => index % (files * every) === file - 1);
        process.stdout.write(`${what}: stopped at ${own.length} of ${calls.length} calls\n`);
        const found: Record<string, readonly string[]> = {};
        for (const { call } of own) {
          const differences = await comparison.differences((base, of) => pausedStory(base, of, call, rests));
          if (differences.length > 0) found[comparison.say(call)] = differences;
        }
        expect(found).toEqual({});
      },
    );
  });
}
