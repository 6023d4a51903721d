import { expect, test } from 'vitest';
import { builtinSchema } from '../../cluster/embedded/kinds/builtin-schema.ts';
import { decodeDeleteOptions } from './decode-delete-options.ts';
import { decodeObject } from './decode-object.ts';

/** A field with bytes in it, or text. */
function bytes(number: number, content: Buffer | string): Buffer {
  const body = Buffer.from(content);
  return Buffer.concat([Buffer.from([(number << 3) | 2, body.length]), body]);
}

function whole(number: number, value: number): Buffer {
  return Buffer.from([number << 3, value]);
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function envelope(apiVersion: string, kind: string, content: Buffer): Buffer {
  const about = message(bytes(1, apiVersion), bytes(2, kind));
  return message(Buffer.from('k8s\0'), bytes(1, about), bytes(2, content));
}

test('an object is read as its JSON; what nobody set is not there', () => {
  const metadata = message(
    bytes(1, 'one'),
    bytes(3, ''),
    bytes(8, ''),
    bytes(11, message(bytes(1, 'a'), bytes(2, 'b'))),
  );
  const body = envelope(
    'v1',
    'ConfigMap',
    message(bytes(1, metadata), bytes(2, message(bytes(1, 'x'), bytes(2, '1')))),
  );
  expect(decodeObject(body, builtinSchema('core.v1.ConfigMap'))).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'one', labels: { a: 'b' } },
    data: { x: '1' },
  });
});

test('bytes are base64, and the value of a map may be left out', () => {
  const body = envelope(
    'v1',
    'Secret',
    message(bytes(2, message(bytes(1, 'word'), bytes(2, 'secret'))), bytes(2, bytes(1, 'no'))),
  );
  expect(decodeObject(body, builtinSchema('core.v1.Secret'))).toMatchObject({
    data: { word: 'c2VjcmV0', no: '' },
  });
});

test('a number that was set stays, also where it is zero; lists and types inside others are read', () => {
  const port = message(
    bytes(1, 'http'),
    whole(3, 80),
    bytes(4, message(whole(1, 1), whole(2, 0), bytes(3, 'web'))),
  );
  const service = envelope('v1', 'Service', bytes(2, bytes(1, port)));
  expect(decodeObject(service, builtinSchema('core.v1.Service'))).toMatchObject({
    spec: { ports: [{ name: 'http', port: 80, targetPort: 'web' }] },
  });
  const deployment = envelope('apps/v1', 'Deployment', bytes(2, message(whole(1, 0), whole(5, 0))));
  expect(decodeObject(deployment, builtinSchema('apps.v1.Deployment'))['spec']).toEqual({ replicas: 0 });
});

test('fields of another type stand where they belong', () => {
  const volume = message(bytes(1, 'v'), bytes(2, bytes(2, '')));
  const pod = envelope('v1', 'Pod', bytes(2, bytes(1, volume)));
  expect(decodeObject(pod, builtinSchema('core.v1.Pod'))['spec']).toEqual({
    volumes: [{ name: 'v', emptyDir: {} }],
  });
});

test('options of a deletion are read', () => {
  const content = message(whole(1, 0), bytes(2, bytes(1, 'uid')), bytes(4, 'Foreground'), bytes(5, 'All'));
  expect(decodeDeleteOptions(envelope('v1', 'DeleteOptions', content))).toEqual({
    gracePeriodSeconds: 0,
    preconditions: { uid: 'uid' },
    propagationPolicy: 'Foreground',
    dryRun: ['All'],
  });
});

test.each([
  ['nothing of Kubernetes', Buffer.from('{}')],
  ['an end in the middle', envelope('v1', 'ConfigMap', bytes(1, 'name')).subarray(0, 20)],
  ['a length beyond the end', message(Buffer.from('k8s\0'), Buffer.from([0x0a, 0x7f]))],
])('%s is refused', (_, body) => {
  expect(() => decodeObject(body, builtinSchema('core.v1.ConfigMap'))).toThrow(
    expect.objectContaining({ reason: 'BadRequest' }),
  );
});
