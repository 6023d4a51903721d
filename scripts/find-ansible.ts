import { type DebianWanted, findDebianPrograms } from './debian-programs.ts';

/** Debian's Ansible. */
const debianAnsible: DebianWanted = {
  name: 'ansible',
  packages: ['ansible-core'],
  program: 'usr/bin/ansible-playbook',
};

/** `ansible-playbook` as words of a command, and the environment it needs. */
export interface Ansible {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Debian's Ansible, unpacked into the cache where it is not there yet, with Debian's Python. */
export async function findAnsible(): Promise<Ansible> {
  const { folder, program, environment } = await findDebianPrograms(debianAnsible);
  const modules = `${folder}/usr/lib/python3/dist-packages`;
  return {
    command: ['/usr/bin/python3', program],
    environment: { ...environment, PYTHONPATH: modules, LC_ALL: 'C.UTF-8' },
  };
}
