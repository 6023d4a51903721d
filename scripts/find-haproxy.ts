import { type DebianWanted, findDebianPrograms } from './debian-programs.ts';
import { programOnPath } from './kubernetes/process/program-on-path.ts';

/** A program, and the environment in which it finds its libraries. */
export interface Haproxy {
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Debian's HAProxy. */
export const debianHaproxy: DebianWanted = {
  name: 'haproxy',
  packages: ['haproxy'],
  program: 'usr/sbin/haproxy',
};

/** HAProxy: the one that is installed, else Debian's, unpacked into the cache, which installs nothing. A text is why it cannot be had. */
export async function findHaproxy(): Promise<Haproxy | string> {
  const installed = await programOnPath('haproxy');
  if (installed) return { program: installed, environment: {} };
  try {
    const { program, environment } = await findDebianPrograms(debianHaproxy);
    return { program, environment };
  } catch (error) {
    return `haproxy is not installed, and Debian's cannot be had: ${(error as Error).message.split('\n')[0]}`;
  }
}
