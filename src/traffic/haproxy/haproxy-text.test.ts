import { expect, it } from 'vitest';
import { aWrittenRoute } from '../../testing/a-written-route.ts';
import { haproxyText, isPreviewBackend, structureOf } from './haproxy-text.ts';

it('writes a route with its shares and previews', () => {
  const text = haproxyText(aWrittenRoute({ previews: { green: { address: '192.0.2.9', madeAt: 0 } } }));
  expect(text).toBe(`defaults north:web:http
  mode http
  timeout connect 5s
  timeout client 1h
  timeout server 1h
  timeout queue 30s
  retries 3
  option redispatch 1
  option http-server-close
  option idle-close-on-response
  option forwardfor
  timeout http-keep-alive 75s
frontend north:web:8000:in from north:web:http
  bind 192.0.2.1:8000
  default_backend north:web:8000
backend north:web:8000 from north:web:http
  balance roundrobin
  server blue-1 10.0.0.1:8080 weight 9 check inter 2s fastinter 500ms fall 2 rise 1
  server green-1 10.0.0.2:8080 weight 1 check inter 2s fastinter 500ms fall 2 rise 1
frontend north:web:8000:preview:green:in from north:web:http
  bind 192.0.2.9:8000
  default_backend north:web:8000:preview:green
backend north:web:8000:preview:green from north:web:http
  balance roundrobin
  server green-1 10.0.0.2:8080 weight 1 check inter 2s fastinter 500ms fall 2 rise 1
`);
});

it('needs a reload for ports and previews, and for no share or Pod', () => {
  const structure = (more: Parameters<typeof aWrittenRoute>[0]) =>
    structureOf(haproxyText(aWrittenRoute(more)));
  expect(structure({ weights: { green: 100 }, servers: [] })).toBe(structure({}));
  expect(structure({ previews: { blue: { address: '192.0.2.9', madeAt: 0 } } })).not.toBe(structure({}));
  expect(structure({ address: '192.0.2.7' })).not.toBe(structure({}));
});

it('hands bytes on that are no requests', () => {
  const text = haproxyText(aWrittenRoute({ ports: [{ port: 8000, targetPort: 8080, mode: 'tcp' }] }));
  expect(text).toContain('mode tcp');
  expect(text).not.toContain('option http-server-close');
});

it('says nothing of a route that goes', () => {
  expect(haproxyText(aWrittenRoute({ isGoing: true }))).toBe('');
});

it('tells previews by their names, also of a service that is called so', () => {
  const names = ['north:web:8000', 'north:web:8000:preview:green', 'preview:preview:8000'];
  expect(names.map(isPreviewBackend)).toEqual([false, true, false]);
});
