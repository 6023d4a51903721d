/** A path cut into its parts, or the reason why it is refused. */
export type CheckedPath =
  | { readonly ok: true; readonly parts: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const maxLength = 1024;

/**
 * Reads the path of an entry as an archive or a folder gives it. `a//b/.` is `a/b`; a path that is absolute, climbs
 * with `..`, or is written so that two machines may take it for two files, is refused.
 */
export function checkPath(written: string): CheckedPath {
  const parts = written.split('/').filter(part => part !== '' && part !== '.');
  const problem = pathProblem(written, parts);
  return problem === undefined ? { ok: true, parts } : { ok: false, problem };
}

/** Whether the entry is part of version control and so no part of the package. */
export function isVersionControl(parts: readonly string[]): boolean {
  return parts.includes('.git');
}

/** The folder a path lies in; nothing for the root. */
export function parentParts(path: string): string[] {
  return path.split('/').slice(0, -1);
}

function pathProblem(written: string, parts: readonly string[]): string | undefined {
  if (written.startsWith('/') || /^[A-Za-z]:[\\/]/.test(written)) return 'is an absolute path';
  if (parts.includes('..')) return 'climbs out with `..`';
  if (written.length > maxLength) return `is longer than ${maxLength} characters`;
  // A backslash parts folders on some machines; the replacement character stands for bytes that are not UTF-8.
  if (/[\p{Cc}\\\uFFFD]/u.test(written)) return 'has characters that not every machine reads the same way';
  return undefined;
}
