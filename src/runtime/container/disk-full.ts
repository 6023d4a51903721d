import { CodedError } from '../../base/coded-error.ts';

/** Whether something failed because there is no room left: on the disk, or for this user. */
export function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Does something that can be done without where the disk is full; false when it was. */
export function unlessDiskFull(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (isDiskFull(error)) return false;
    throw error;
  }
}

/** A full disk, a folder without rights: whoever asked may try again. */
export async function inFolder<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CodedError('StateFolderFailed', `the state folder cannot be used: ${reason}`, { cause });
  }
}
