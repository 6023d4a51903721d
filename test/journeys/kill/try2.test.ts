import { expect, test } from 'vitest';
import { makeBase, manyCutsStory, pausedStory, recordStory } from './kill-story.ts';

const width = Number(process.env['W'] ?? 1200);
test.each((process.env['V'] ?? '2.0.0,2.0.1,3.0.0').split(','))('try %s', { timeout: 600_000 }, async version => {
  const base = await makeBase();
  const story = { version, hasOutage: version === '3.0.0' };
  const one = await recordStory(base, story);
  console.log(version, one.line.calls().length, 'calls', one.line.distinctCuts().length);
  const compare = async (name: string, run: () => Promise<{ picture: readonly string[]; wrong: readonly string[]; troubles: readonly string[] }>) => {
    const t = performance.now();
    try {
      const end = await run();
      const text = [...one.picture.filter(line => !end.picture.includes(line)).map(x => `- ${x}`), ...end.picture.filter(line => !one.picture.includes(line)).map(x => `+ ${x}`), ...end.wrong.map(x => `! ${x}`), ...(end.picture.length === one.picture.length ? [] : ['count differs']), ...(process.env['T'] ? end.troubles : []).map(x => `? ${x.slice(0, 300)}`)].map(x => x.slice(0, width)).join('\n');
      console.log(version, name, performance.now() - t, JSON.stringify({ ...end, picture: 0, troubles: end.troubles.length }), text ? `DIFFERS\n${text}` : 'same');
    } catch (error) {
      console.log(version, name, `THROWS ${String((error as Error).stack).slice(0, 6000)}`);
    }
  };
  if (!process.env['PAUSE']) for (const stride of [6, 7, 8, 9, 11, 13]) await compare(`every ${stride}`, () => manyCutsStory(base, story, Array.from({ length: 400 }, () => stride)));
  const step = Number(process.env['PAUSE'] ?? 100);
  for (let call = Number(process.env['FROM'] ?? 1); call < one.line.calls().length; call += step) for (const rests of [0, 1000]) await compare(`paused at ${call} ${JSON.stringify(one.line.calls()[call - 1])} for ${rests}`, () => pausedStory(base, story, call, rests));
  base.remove();
  expect(1).toBe(1);
});
