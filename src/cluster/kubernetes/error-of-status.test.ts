import { describe, expect, test } from 'vitest';
import type { ClusterReason } from '../cluster-error.ts';
import { errorOfStatus } from './error-of-status.ts';

const status = (reason: string, details: object = {}) => ({
  kind: 'Status',
  reason,
  message: 'words',
  details,
});

describe('errorOfStatus', () => {
  test.each<[string, number, unknown, ClusterReason]>([
    ['the reason of the Status', 409, status('AlreadyExists'), 'AlreadyExists'],
    ['Gone, which is Expired', 410, status('Gone'), 'Expired'],
    ['ServerTimeout, which is a timeout', 500, status('ServerTimeout'), 'Timeout'],
    ['too large', 413, status('RequestEntityTooLarge'), 'BadRequest'],
    ['an unknown reason by its code', 409, status('Whatever'), 'Conflict'],
    ['a Status that gives no reason', 500, status(''), 'InternalError'],
    ['plain text by its code', 404, '404 page not found\n', 'NotFound'],
    ['a proxy that finds nobody', 502, '<html>', 'ServiceUnavailable'],
    ['a code nobody knows, below 500', 418, '', 'BadRequest'],
    ['a code nobody knows, above', 599, undefined, 'InternalError'],
    ['a server that claims what only we can know', 500, status('Unreachable'), 'InternalError'],
  ])('knows %s', (_, code, body, reason) => {
    expect(errorOfStatus(code, body)).toMatchObject({
      name: 'ClusterError',
      reason,
      code: `Cluster${reason}`,
    });
  });

  test('has every field that is wrong, and not the remark that rules were not checked', () => {
    const wrong = { field: 'spec.a', reason: 'FieldValueInvalid', message: 'no' };
    const remark = { field: '<nil>', reason: 'FieldValueInvalid', message: 'some rules were not checked' };
    const error = errorOfStatus(422, status('Invalid', { causes: [wrong, remark] }));
    expect(error.causes).toEqual([wrong]);
  });

  test.each([
    ['the Status', status('TooManyRequests', { retryAfterSeconds: 7 }), undefined, 7],
    ['the header', status('TooManyRequests'), '3', 3],
    ['the Status before the header', status('TooManyRequests', { retryAfterSeconds: 7 }), '3', 7],
    ['nobody', status('TooManyRequests'), undefined, undefined],
    ['a header that is a date', status('TooManyRequests'), 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ])('takes how long to wait from %s', (_, body, header, seconds) => {
    expect(errorOfStatus(429, body, header).retryAfterSeconds).toBe(seconds);
  });

  test('does not repeat a whole object that was refused', () => {
    const object = JSON.stringify(JSON.stringify({ data: { password: 'hush', more: 'x'.repeat(100) } }));
    const message = ` "" is invalid: patch: Invalid value: ${object}: strict decoding error: unknown field "a"`;
    const causes = [{ field: 'patch', reason: 'FieldValueInvalid', message }];
    const error = errorOfStatus(422, { ...status('Invalid', { causes }), message });
    const want = ' "" is invalid: patch: Invalid value: strict decoding error: unknown field "a"';
    expect([error.message, error.causes[0]?.message]).toEqual([want, want]);
  });

  test('repeats only the beginning of what is no Status', () => {
    expect(errorOfStatus(502, 'x'.repeat(5000)).message).toHaveLength(200);
  });
});
