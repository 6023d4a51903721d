import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorCatalog } from '../api/error-catalog.ts';
import { type Exit, exitCodes, exitOfError } from './exit-codes.ts';

describe('exit codes', () => {
  it('are told apart by their number', () => {
    const numbers = Object.values(exitCodes).map(({ code }) => code);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it.each<{ readonly says: string; readonly codes: readonly ErrorCode[]; readonly want: Exit }>([
    {
      says: 'nothing is up, or it cannot be had',
      codes: ['NotUp', 'AlreadyUp', 'ManagerStays', 'NotInstalled'],
      want: 'unavailable',
    },
    {
      says: 'nothing answers',
      codes: ['ClusterUnreachable', 'ClusterTimeout', 'CredentialsUnavailable'],
      want: 'unavailable',
    },
    { says: 'it does not fit what runs', codes: ['NotNow'], want: 'refused' },
    { says: 'the account may not', codes: ['ClusterForbidden', 'ClusterUnauthorized'], want: 'refused' },
    { says: 'words that nobody knows', codes: ['UsageInvalid'], want: 'usage' },
    {
      says: 'a file is wrong',
      codes: ['FileUnreadable', 'KubeconfigInvalid', 'NoRecord', 'ClusterInvalid'],
      want: 'invalid',
    },
    { says: 'Afloat is wrong', codes: ['Bug'], want: 'failed' },
  ])('$says: $want', ({ codes, want }) => {
    for (const code of codes) expect({ code, exit: exitOfError(code) }).toEqual({ code, exit: want });
  });

  it('say that Afloat itself failed for bugs only', () => {
    const failed = Object.entries(errorCatalog).filter(
      ([code]) => exitOfError(code as ErrorCode) === 'failed',
    );
    expect(failed.map(([, entry]) => entry.class)).toEqual(failed.map(() => 'bug'));
    expect(failed.length).toBeGreaterThan(0);
  });
});
