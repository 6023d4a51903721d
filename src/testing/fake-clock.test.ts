import { describe, expect, it } from 'vitest';
import { FakeClock } from './fake-clock.ts';

describe('FakeClock', () => {
  it('stands still until it is told to go on', async () => {
    const clock = new FakeClock({ begin: 1000 });
    expect([clock.wall(), clock.monotonic()]).toEqual([1000, 0]);
    await clock.advance(250);
    expect([clock.wall(), clock.monotonic()]).toEqual([1250, 250]);
  });

  it('wakes sleepers in the order of time, and of one moment in the order of sleeping', async () => {
    const clock = new FakeClock();
    const woken: string[] = [];
    const sleeper = (name: string, milliseconds: number) =>
      clock.sleep(milliseconds).then(() => woken.push(`${name} at ${clock.monotonic()}`));
    const all = [sleeper('late', 20), sleeper('first', 10), sleeper('second', 10), sleeper('never', 100)];
    expect(clock.nextSleeper()).toBe(10);
    await clock.advance(50);
    expect(woken).toEqual(['first at 10', 'second at 10', 'late at 20']);
    expect(clock.nextSleeper()).toBe(50);
    await clock.advance(50);
    await Promise.all(all);
    expect(clock.nextSleeper()).toBeUndefined();
  });

  it('lets what a sleeper begins when it wakes sleep on the time that is then', async () => {
    const clock = new FakeClock();
    const at: number[] = [];
    const looping = (async () => {
      for (let turns = 0; turns < 3; turns++) {
        await clock.sleep(10);
        at.push(clock.monotonic());
      }
    })();
    await clock.advance(30);
    await looping;
    expect(at).toEqual([10, 20, 30]);
  });

  it('lets go of who is told to stop sleeping', async () => {
    const clock = new FakeClock();
    const stop = new AbortController();
    const sleeping = clock.sleep(1000, stop.signal);
    stop.abort();
    await sleeping;
    expect(clock.nextSleeper()).toBeUndefined();
    await clock.sleep(1000, stop.signal);
  });

  it('has the same chance in every run, of every size', () => {
    const draw = (seed: number) => {
      const clock = new FakeClock({ seed });
      return Array.from({ length: 1000 }, () => clock.random());
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const drawn = draw(1);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...drawn)).toBeLessThan(1);
    expect(new Set(drawn).size).toBe(1000);
    expect(drawn.reduce((sum, one) => sum + one, 0) / 1000).toBeCloseTo(0.5, 1);
  });
});
