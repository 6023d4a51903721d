import { type Finding, finding } from '../../api/finding.ts';

/** What a failed file operation means for the package at `location`. Any other error is a bug and is thrown again. */
export function unreadable(location: string, error: unknown): Finding {
  if (!(error instanceof Error) || !('code' in error)) throw error;
  const { code } = error;
  // A NUL in a path is refused before the system is asked.
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ERR_INVALID_ARG_VALUE') {
    return finding('PackageNotFound', `package ${JSON.stringify(location)} is not there`);
  }
  if (!('syscall' in error)) throw error;
  const where = 'path' in error ? `: ${error.path}` : '';
  return finding('FileUnreadable', `package ${location} cannot be read (${code})${where}`);
}
