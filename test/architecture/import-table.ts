/** One line of the import table in ARCHITECTURE.md. */
export interface FolderRule {
  readonly folder: string;
  /** The file a reader opens first; it states In, Out and Never. Undefined for folders that are no stage. */
  readonly entry: string | undefined;
  readonly imports: readonly AllowedImport[];
  /** Packages from npm it may import. */
  readonly packages: readonly string[];
}

/** A folder that may be imported, and how much of it. */
export interface AllowedImport {
  readonly folder: string;
  readonly limit: 'none' | 'types' | 'port';
}

const head = ['folder', 'entry', 'may import', 'from npm'];

/**
 * Reads the table: folders with commas between; `x (types)` allows type imports only, `x (port)` only x/x.ts;
 * `all above` stands for the folders of the lines before; `-` for none. What follows a semicolon is for people.
 */
export function parseImportTable(markdown: string): FolderRule[] {
  const rows = markdown
    .split('\n')
    .filter(line => line.startsWith('|'))
    .map(line =>
      line
        .split('|')
        .slice(1, -1)
        .map(cell => cell.replaceAll('`', '').trim()),
    );
  const start = rows.findIndex(row => head.every((name, column) => row[column] === name));
  if (start < 0) throw new Error(`no table with the columns ${head.join(', ')}`);
  const rules: FolderRule[] = [];
  for (const row of rows.slice(start + 2)) {
    const [folders = '', entry = '-', imports = '-', packages = '-'] = row;
    if (row.length !== head.length) break;
    const above = rules.map(rule => rule.folder);
    const line = listOf(folders).map(folder => ({
      folder,
      entry: entry === '-' ? undefined : entry.replaceAll('<folder>', folder),
      imports: listOf(imports).flatMap(text => allowedImports(text, above)),
      packages: listOf(packages),
    }));
    rules.push(...line);
  }
  return rules;
}

function listOf(cell: string): string[] {
  const [words = ''] = cell.split(';');
  return words
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '' && word !== '-');
}

function allowedImports(text: string, above: readonly string[]): AllowedImport[] {
  if (text === 'all above') return above.map(folder => ({ folder, limit: 'none' }));
  const { folder, limit } = /^(?<folder>[a-z]+)(?: \((?<limit>types|port)\))?$/.exec(text)?.groups ?? {};
  if (folder === undefined) throw new Error(`cannot read "${text}" in the import table`);
  return [{ folder, limit: limit === 'types' || limit === 'port' ? limit : 'none' }];
}
