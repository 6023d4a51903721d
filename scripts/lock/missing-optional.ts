/** What we read and write of one entry of a lock file. */
export interface LockEntry {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/**
 * Entries for the optional dependencies that a lock names and does not have, by their place in it. Only packages made for
 * one platform are left out by a registry; which one is the last part of their name, as `cli-darwin-arm64`.
 */
export function missingOptional(packages: Readonly<Record<string, LockEntry>>): Record<string, LockEntry> {
  const missing: Record<string, LockEntry> = {};
  for (const [place, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const own = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`;
      if (packages[`node_modules/${name}`] || packages[own]) continue;
      missing[`node_modules/${name}`] = {
        version,
        ...(dev ? { dev } : {}),
        optional: true,
        ...platformOf(name),
      };
    }
  }
  return missing;
}

function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/);
  const os = words.filter(word => systems.includes(word));
  const cpu = words.filter(word => processors.includes(word));
  const libc = words.flatMap(word => (word === 'musl' ? ['musl'] : word === 'gnu' ? ['glibc'] : []));
  return {
    ...(os.length > 0 ? { os } : {}),
    ...(cpu.length > 0 ? { cpu } : {}),
    ...(libc.length > 0 ? { libc } : {}),
  };
}
