import { describe, expect, it } from 'vitest';
import { viewOf } from '../status/status.ts';
import type { View } from '../status/view.ts';
import { cloudStories } from '../testing/cloud-stories.ts';
import { newsOf } from './news-of.ts';

function view(story: string): View {
  const objects = cloudStories[story];
  if (!objects) throw new TypeError(`there is no story ${story}`);
  return viewOf(objects);
}

const long = 'the machine says a great deal and does not come to its point; '.repeat(40);

describe('news', () => {
  it.each(Object.keys(cloudStories))(
    'of "%s" are lines of at most 160 columns, and nothing the second time',
    story => {
      const shown = new Map<string, string>();
      const lines = newsOf(view(story), shown);
      expect(lines.filter(line => line.length > 160)).toEqual([]);
      expect(new Set(lines).size).toBe(lines.length);
      expect(newsOf(view(story), shown)).toEqual([]);
    },
  );

  it('are cut where somebody says too much, and show that they are; the bar stays', () => {
    const { services, ...rest } = view('running upgrade');
    const told = services.map(service => ({
      ...service,
      waits: [{ reason: 'PhaseRunning', message: long }],
    }));
    const lines = newsOf({ ...rest, services: told }, new Map());
    expect(lines.filter(line => line.length > 160)).toEqual([]);
    expect(lines.filter(line => line.endsWith('...'))).toHaveLength(2);
    expect(lines.filter(line => line.endsWith('] 2/8, 3 min of about 5 min'))).toHaveLength(1);
  });

  it('repeat nothing that has not changed', () => {
    const shown = new Map<string, string>();
    const before = view('running upgrade');
    newsOf(before, shown);
    const services = before.services.map(service =>
      service.name === 'keystone'
        ? {
            ...service,
            waits: [{ reason: 'PhaseRunning', message: 'Job keystone-tempest: 42 of 60 cases passed' }],
          }
        : service,
    );
    expect(newsOf({ ...before, services }, shown)).toEqual([
      '02:03:00 keystone: Job keystone-tempest: 42 of 60 cases passed',
    ]);
  });

  it('come again when what was said is gone and comes back', () => {
    const shown = new Map<string, string>();
    const waiting = view('waiting for approval');
    const line = newsOf(waiting, shown).filter(one => one.includes('approval'));
    expect(line).not.toEqual([]);
    newsOf(view('running upgrade'), shown);
    expect(newsOf(waiting, shown)).toEqual(expect.arrayContaining(line));
  });
});
