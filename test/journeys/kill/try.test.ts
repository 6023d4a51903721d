import { expect, test } from 'vitest';
import { cutStory, makeBase, recordStory } from './kill-story.ts';

const from = Number(process.env['FROM'] ?? 0);
const step = Number(process.env['STEP'] ?? 40);
test.each((process.env['V'] ?? '2.0.0,2.0.1,3.0.0').split(','))('try %s', { timeout: 600_000 }, async version => {
  const base = await makeBase();
  const story = { version, hasOutage: version === '3.0.0' };
  let t = performance.now();
  const one = await recordStory(base, story);
  console.log(version, 'first', performance.now() - t);
  t = performance.now();
  const two = await recordStory(base, story);
  console.log(version, 'second', performance.now() - t);
  expect(two.picture).toEqual(one.picture);
  const bare = (calls: readonly { about: string; verb: string }[]) => calls.map(({ verb, about }) => `${verb} ${about.replace(/\.[0-9a-f]{16}$/, '')}`);
  expect(bare(two.line.calls())).toEqual(bare(one.line.calls()));
  expect([one.wrong, one.troubles]).toEqual([[], []]);
  const cuts = one.line.distinctCuts();
  console.log(version, one.line.calls().length, 'calls', cuts.length, 'cuts', one.picture.length);
  if (process.env['P']) console.log(one.picture.join('\n'));
  const calls = one.line.calls();
  const seen = new Map<string, string[]>();
  t = performance.now();
  let n = 0;
  for (let i = from; i < cuts.length; i += step) {
    const cut = cuts[i]!;
    const name = `${i} ${cut.when} ${JSON.stringify(calls[cut.call - 1])}`;
    n += 1;
    try {
      const end = await cutStory(base, story, cut);
      const missing = one.picture.filter(line => !end.picture.includes(line));
      const more = end.picture.filter(line => !one.picture.includes(line));
      const text = [...missing.map(x => `- ${x}`), ...more.map(x => `+ ${x}`), ...end.wrong.map(x => `! ${x}`), ...(end.picture.length === one.picture.length ? [] : ['count differs']), ...end.troubles.map(x => `? ${x.slice(0, 300)}`)].map(x => x.slice(0, Number(process.env['W'] ?? 1500))).join('\n');
      if (text) seen.set(text, [...(seen.get(text) ?? []), name]);
    } catch (error) {
      const text = String(error).slice(0, 4000);
      seen.set(text, [...(seen.get(text) ?? []), name]);
    }
  }
  console.log('each', (performance.now() - t) / n);
  for (const [text, names] of seen) console.log(`==== ${names.length} of ${n}: ${names.slice(0, 3).join(' | ')}\n${text}`);
  base.remove();
});
