import { expect, it } from 'vitest';
import { aWrittenRoute } from '../../testing/a-written-route.ts';
import { nginxText } from './nginx-text.ts';

const lines = (text: string) => text.split('\n').map(line => line.trim());

it('writes who has a share, by weight, and nobody else', () => {
  const text = lines(nginxText(aWrittenRoute()));
  expect(text).toEqual(
    expect.arrayContaining(['server 10.0.0.1:8080 weight=9;', 'server 10.0.0.2:8080 weight=1;']),
  );
  expect(nginxText(aWrittenRoute({ weights: { blue: 100 } }))).not.toContain('10.0.0.2');
});

it('answers for nobody where nobody has a share', () => {
  const text = lines(nginxText(aWrittenRoute({ weights: {} })));
  expect(text).toContain('location / { return 503; }');
  expect(text.some(line => line.startsWith('upstream'))).toBe(false);
});

it('has a place of its own for a preview, whatever share its slice has', () => {
  const previews = { green: { address: '192.0.2.9', madeAt: 0 } };
  const text = lines(nginxText(aWrittenRoute({ weights: { blue: 100 }, previews })));
  expect(text).toEqual(
    expect.arrayContaining([
      'upstream north.web.8000.preview.green {',
      'server 10.0.0.2:8080 weight=1;',
      'listen 192.0.2.9:8000;',
    ]),
  );
});

it('does not keep connections of clients, which a reload would cut', () => {
  expect(lines(nginxText(aWrittenRoute()))).toContain('keepalive_timeout 0;');
});

it('says nothing of a route that goes', () => {
  expect(nginxText(aWrittenRoute({ isGoing: true }))).toBe('');
});
