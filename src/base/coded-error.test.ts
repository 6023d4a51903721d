import { describe, expect, it } from 'vitest';
import { CodedError } from './coded-error.ts';

describe('CodedError', () => {
  it('is an Error with a code, so that callers need not read the message', () => {
    const error = new CodedError('FileUnreadable', 'cannot read it');
    expect(error).toBeInstanceOf(Error);
    expect({ name: error.name, code: error.code, message: error.message }).toEqual({
      name: 'CodedError',
      code: 'FileUnreadable',
      message: 'cannot read it',
    });
  });

  it('keeps the cause and the details', () => {
    const cause = new Error('below');
    const error = new CodedError('Bug', 'above', { cause, details: { step: 3 } });
    expect(error.cause).toBe(cause);
    expect(error.details).toEqual({ step: 3 });
  });

  it('has no cause and no details unless they are given', () => {
    const error = new CodedError('Bug', 'alone');
    expect('cause' in error).toBe(false);
    expect(error.details).toEqual({});
  });
});
