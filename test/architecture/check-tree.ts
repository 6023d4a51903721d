import { posix } from 'node:path';
import type { FolderRule } from './import-table.ts';
import { codeOf, freeNamesIn, type Import, importsOf } from './source-text.ts';

/** Source files by their path from `src`, for example `plan/order.ts`. */
export type Tree = ReadonlyMap<string, string>;

/** Folders whose functions answer from their arguments alone, and the files in them that are let off. */
const pureFolders: ReadonlyMap<string, readonly string[]> = new Map([
  ['api', []],
  ['record', ['record/load.ts']], // reads the files
  ['plan', []],
  ['flow', []],
  ['status', []],
]);

/** What an answer must not depend on, or what makes a function wait. */
const impureNames = [
  'Date',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'process',
  'fetch',
  'crypto',
  'globalThis',
  'require',
  'async',
  'await',
  'Promise',
];

/** Methods with the same fault: chance, and an order that differs from machine to machine. */
const impureCalls = ['Math.random', '.localeCompare', '.toLocaleString', '.toLocaleLowerCase'];

const bannedFileNames = [
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'misc',
  'types',
  'index',
  'manager',
  'service',
];

/** Every way in which the tree breaks the rules, as sentences in the order of the paths. */
export function checkTree(tree: Tree, rules: readonly FolderRule[]): string[] {
  const byFolder = new Map(rules.map(rule => [rule.folder, rule]));
  const perFile = [...tree].sort().flatMap(([path, source]) => {
    const rule = byFolder.get(folderOf(path));
    if (!rule) return [`${path}: the folder ${folderOf(path)} is not in the import table`];
    return [
      ...nameProblems(path),
      ...importsOf(source).flatMap(found => importProblem(path, found, rule, byFolder)),
      ...purityProblems(path, source),
      ...errorProblems(path, source),
    ].map(problem => `${path}: ${problem}`);
  });
  return [...perFile, ...entryProblems(tree, byFolder), ...cycles(tree)];
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}

/** Tests and contract suites are no part of the program. */
function isTest(path: string): boolean {
  return /\.(?:test|contract)\.ts$/.test(path) || folderOf(path) === 'testing';
}

function nameProblems(path: string): string[] {
  const name = posix.basename(path).replace(/\..*$/, '');
  const folders = posix.dirname(path).split('/');
  const banned = [name, ...folders].filter(word => bannedFileNames.includes(word));
  const notKebab = [name, ...folders].filter(word => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(word));
  return [
    ...banned.map(word => `"${word}" says nothing; name it after what it holds`),
    ...notKebab.map(word => `"${word}" is not kebab-case`),
  ];
}

function importProblem(
  path: string,
  found: Import,
  rule: FolderRule,
  byFolder: ReadonlyMap<string, FolderRule>,
): string[] {
  const { specifier } = found;
  if (specifier.startsWith('node:')) return [];
  if (!specifier.startsWith('.')) return packageProblem(path, found, rule);
  const target = posix.join(posix.dirname(path), specifier);
  if (target === '../package.json') return [];
  // Tests that need real parts start them with the scripts that build them.
  if (isTest(path) && target.startsWith('../scripts/')) return [];
  if (target.startsWith('..')) return [`imports ${specifier}, which is outside src`];
  const folder = folderOf(target);
  if (folder === rule.folder) return siblingProblem(path, target);
  if (isTest(path)) {
    const reach = folder === 'testing' || folderOf(path) === 'testing' || reachOf(rule, byFolder).has(folder);
    return reach ? [] : [`imports ${target}, and ${rule.folder} cannot reach ${folder}`];
  }
  const allowed = rule.imports.find(one => one.folder === folder);
  if (!allowed) return [`imports ${target}, but ${rule.folder} may not import ${folder}`];
  if (allowed.limit === 'types' && !found.typeOnly)
    return [`imports ${target}, but may import only types of ${folder}`];
  if (allowed.limit === 'port' && target !== `${folder}/${folder}.ts`) {
    return [`imports ${target}, but of ${folder} only the port ${folder}/${folder}.ts`];
  }
  return [];
}

/** One driver or router never knows of another. */
function siblingProblem(path: string, target: string): string[] {
  const [folder = '', inner, file] = path.split('/');
  const [, targetInner, targetFile] = target.split('/');
  const isApart = ['driver', 'traffic'].includes(folder) && file !== undefined && targetFile !== undefined;
  return isApart && inner !== targetInner ? [`imports its sibling ${target}`] : [];
}

function packageProblem(path: string, { specifier, dynamic }: Import, rule: FolderRule): string[] {
  if (isTest(path)) return [];
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (!rule.packages.includes(name))
    return [`imports ${name}, which the table does not give to ${rule.folder}`];
  // Works from source, fails in the bundle: CommonJS that is bundled and imported dynamically has no named exports.
  return dynamic ? [`imports ${name} dynamically; import a file of ours that imports it`] : [];
}

/** Everything a folder can come to by imports: its tests may use all of that. */
function reachOf(rule: FolderRule, byFolder: ReadonlyMap<string, FolderRule>): Set<string> {
  const reached = new Set<string>();
  const open = [rule.folder];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of byFolder.get(folder)?.imports ?? []) {
      if (reached.has(next.folder)) continue;
      reached.add(next.folder);
      open.push(next.folder);
    }
  }
  return reached;
}

function purityProblems(path: string, source: string): string[] {
  const except = pureFolders.get(folderOf(path));
  if (!except || except.includes(path) || isTest(path)) return [];
  const code = codeOf(source);
  const builtIns = importsOf(source).filter(found => found.specifier.startsWith('node:') && !found.typeOnly);
  return [
    ...builtIns.map(found => `is pure and must not import ${found.specifier}`),
    ...freeNamesIn(code, impureNames).map(name => `is pure and must not use ${name}`),
    ...impureCalls.filter(call => code.includes(call)).map(call => `is pure and must not call ${call}`),
  ];
}

function errorProblems(path: string, source: string): string[] {
  if (folderOf(path) === 'base' || isTest(path)) return [];
  const code = codeOf(source);
  // ClusterError is a CodedError in Kubernetes' own words.
  const bare = /\bnew\s+Error\b|\bthrow\s+(?:new\s+)?(?:\w*(?<!Coded|Cluster)Error\s*\(|['"`])/.test(code);
  return bare ? ['throws something else than a CodedError'] : [];
}

function entryProblems(tree: Tree, byFolder: ReadonlyMap<string, FolderRule>): string[] {
  const folders = new Set([...tree.keys()].map(folderOf));
  return [...folders].sort().flatMap(folder => {
    const entry = byFolder.get(folder)?.entry;
    if (entry === undefined) return [];
    const source = tree.get(`${folder}/${entry}`);
    if (source === undefined) return [`${folder}: has no entry file ${entry}`];
    const header = /^\s*\/\*\*[\s\S]*?\*\//.exec(source)?.[0] ?? '';
    const missing = ['In:', 'Out:', 'Never:'].filter(word => !header.includes(word));
    return missing.map(word => `${folder}/${entry}: its first comment does not say "${word}"`);
  });
}

/** Each knot of files that import each other, named by its files. Type imports count: a knot of types is a knot for the reader. */
function cycles(tree: Tree): string[] {
  const graph = new Map(
    [...tree]
      .filter(([path]) => !isTest(path))
      .map(([path, source]) => [
        path,
        importsOf(source)
          .filter(found => found.specifier.startsWith('.'))
          .map(found => posix.join(posix.dirname(path), found.specifier)),
      ]),
  );
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      found.add(`import cycle: ${[...trail.slice(start), path].join(' -> ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of [...graph.keys()].sort()) visit(path, []);
  return [...found];
}
