import type { Part } from './parts.ts';

/** The go.mod from which a part is built; `ofModule` is the go.mod that the module itself was published with. */
export function goModule(part: Part, ofModule: string): string {
  const replaced = part.stagingVersion === undefined ? [] : stagingModules(ofModule);
  const lines = [
    `module afloat.test/${part.name}`,
    `go ${goVersion(ofModule)}`,
    `require ${part.module} ${part.version}`,
    ...replaced.map(name => `replace ${name} => ${name} ${part.stagingVersion}`),
  ];
  return `${lines.join('\n\n')}\n`;
}

/** The packages to build, as Go calls them. */
export function packagesOf(part: Part): string[] {
  return Object.values(part.programs).map(path => packageAt(part, path));
}

/** The package at a path below the part's module. */
export function packageAt(part: Part, path: string): string {
  return path === '' ? part.module : `${part.module}/${path}`;
}

/** The name `go build` gives to a program: the last word of its package's path that is not a major version. */
export function builtName(packagePath: string): string {
  const words = packagePath.split('/').filter(word => !/^v\d+$/.test(word));
  return words.at(-1) ?? packagePath;
}

/** The arguments of `go build` that write all programs of a part into a folder. */
export function buildArguments(part: Part, folder: string): string[] {
  const values = Object.entries(part.linkerValues ?? {}).map(([name, value]) => `-X ${name}=${value}`);
  // -mod=mod lets Go fill in go.mod and go.sum with just what these packages need; a tidy would fetch their tests' needs.
  return [
    'build',
    '-mod=mod',
    '-ldflags',
    ['-s', '-w', ...values].join(' '),
    '-o',
    `${folder}/`,
    ...packagesOf(part),
  ];
}

function goVersion(ofModule: string): string {
  return /^go (\S+)$/m.exec(ofModule)?.[1] ?? '1.26';
}

function stagingModules(ofModule: string): string[] {
  const names = [...ofModule.matchAll(/^\s*(?:require )?(\S+) v0\.0\.0(?:\s|$)/gm)].map(
    match => match[1] ?? '',
  );
  return [...new Set(names)].sort();
}
