import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Where packages of Debian come from. */
export interface DebianMirror {
  readonly main: string;
  /** Undefined where this machine names none. */
  readonly security: string | undefined;
}

/** The mirror that this machine was told to use, whichever release it runs. Throws where it has none. */
export async function debianMirror(): Promise<DebianMirror> {
  const { stdout } = await run('apt-get', [
    ...['indextargets', '--format', '$(SITE)', 'Created-By: Packages'],
  ]);
  return mirrorOf(stdout.split('\n'));
}

/** The mirror among the sites of package lists. */
export function mirrorOf(sites: readonly string[]): DebianMirror {
  const ending = (name: string) =>
    sites.map(site => site.trim().replace(/\/$/, '')).find(site => site.endsWith(`/${name}`));
  const main = ending('debian');
  if (main === undefined)
    throw new Error('apt of this machine names no mirror of Debian: add one to its sources');
  return { main, security: ending('debian-security') };
}

/** The sources of apt in a root. */
export function sourcesOf(
  { main, security }: DebianMirror,
  { suite, security: wanted = false }: { readonly suite: string; readonly security?: boolean },
): string {
  if (wanted && security === undefined)
    throw new Error(
      "apt of this machine names no mirror of Debian's security updates: add one to its sources",
    );
  const lines = [`deb ${main} ${suite} main`];
  if (wanted) lines.push(`deb ${security} ${suite}-security main`);
  return `${lines.join('\n')}\n`;
}
