import { basename } from 'node:path';

/** What the program is to do, by the name it was started under. */
export type Called = { readonly is: 'program'; readonly name: string } | { readonly is: 'completion' };

/**
 * The program is also a plugin of kubectl: under the name `kubectl-afloat` on the PATH it is `kubectl afloat`, and under
 * `kubectl_complete-afloat` kubectl asks it how a line may go on.
 */
export function calledAs(path: string): Called {
  const name = basename(path).replace(/\.(?:[cm]?js|exe|cmd)$/, '');
  if (name === 'kubectl_complete-afloat') return { is: 'completion' };
  return { is: 'program', name: name === 'kubectl-afloat' ? 'kubectl afloat' : 'afloat' };
}
