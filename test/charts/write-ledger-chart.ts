/** The chart in openstack-helm's style, at any version, from one source. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { isMap, parseDocument } from 'yaml';

const source = join(import.meta.dirname, 'ledger');

/** What its images are made of, one folder over the other. */
export const ledgerProgram = [
  join(import.meta.dirname, '../journeys/engine/program'),
  join(import.meta.dirname, 'program'),
] as const;

/** What a version of the chart is like; everything has a default. */
export interface LedgerWish {
  /** What goes wrong, with commas between: `test` lets its test fail. */
  readonly faults?: string;
  /** What clients are told at /version. */
  readonly setting?: string;
  /** The tag of the image that migrates, and with it the schema. The same in all versions unless told. */
  readonly schema?: string;
  /** Over anything of values.yaml, by path: `pod.replicas.api`. */
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * Versions that journeys know: 0.9.0 is a bad build, whose test finds that; 1.1.0 is the next of 1.0.0, 1.1.1 a bad build, and 1.2.0 has another
 * schema.
 */
export const ledgerVersions: Readonly<Record<string, LedgerWish>> = {
  '0.9.0': { faults: 'test' },
  '1.0.0': {},
  '1.1.0': { setting: 'newer' },
  '1.1.1': { setting: 'newer', faults: 'test' },
  '1.2.0': { setting: 'newest', schema: '1.1.0', values: { 'conf.ledger.head': '2' } },
};

/**
 * Writes the chart into a folder, in the place of what is there: with its library packed in `charts/`, and with its program, for a machine
 * without a container engine.
 */
export async function writeLedgerChart(folder: string, version: string, wish?: LedgerWish): Promise<void> {
  const {
    faults = '',
    setting = 'usual',
    schema = '1.0.0',
    values = {},
  } = wish ?? ledgerVersions[version] ?? {};
  rmSync(folder, { recursive: true, force: true });
  cpSync(source, folder, { recursive: true });
  rmSync(join(folder, 'charts/toolkit'), { recursive: true });
  writeFileSync(
    join(folder, 'charts/toolkit-0.1.0.tgz'),
    await packed(join(source, 'charts/toolkit'), 'toolkit'),
  );
  for (const program of ledgerProgram) cpSync(program, join(folder, 'program'), { recursive: true });
  change(join(folder, 'Chart.yaml'), text =>
    text
      .replaceAll(/\bversion: 1\.0\.0|\bappVersion: 1\.0\.0/g, line => line.replace('1.0.0', version))
      .replaceAll('charts/ledger:1.0.0', `charts/ledger:${version}`)
      .replaceAll('charts/ledger-schema:1.0.0', `charts/ledger-schema:${schema}`),
  );
  change(join(folder, 'values.yaml'), text => {
    const document = parseDocument(
      text
        .replaceAll('charts/ledger:1.0.0', `charts/ledger:${version}`)
        .replaceAll('charts/ledger-schema:1.0.0', `charts/ledger-schema:${schema}`),
    );
    const all = { 'conf.ledger.faults': faults, 'conf.ledger.setting': setting, ...values };
    for (const [path, value] of Object.entries(all)) document.setIn(path.split('.'), value);
    return document.toString();
  });
}

/** The images that a chart which was written names. */
export function ledgerImages(folder: string): string[] {
  const tags = parseDocument(readFileSync(join(folder, 'values.yaml'), 'utf8')).getIn(['images', 'tags']);
  return isMap(tags) ? [...new Set(tags.items.map(({ value }) => `${value}`))] : [];
}

function change(file: string, edit: (text: string) => string): void {
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

/** As `helm package` packs a chart; the same files give the same bytes. */
async function packed(folder: string, name: string): Promise<Buffer> {
  const tar = pack();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(one => one.isFile());
  const paths = files.map(file => join(file.parentPath, file.name)).sort();
  for (const path of paths)
    tar.entry({ name: `${name}${path.slice(folder.length)}`, mtime: new Date(0) }, readFileSync(path));
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return gzipSync(Buffer.concat(chunks));
}
