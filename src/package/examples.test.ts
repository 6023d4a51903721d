import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { load } from '../record/load.ts';
import { resolveRecord } from '../record/resolve-record.ts';
import { gatherTargets } from './gather-targets.ts';
import { readPackage } from './read-package.ts';
import { openSource } from './source/open-source.ts';

const examples = join(import.meta.dirname, '../../examples');
const source = openSource(examples);
const records = readdirSync(examples).filter(name => /^cloud.*\.yaml$/.test(name));
const packages = readdirSync(join(examples, 'packages')).flatMap(service =>
  readdirSync(join(examples, 'packages', service)).map(version => ({ service, version })),
);

async function gather(name: string) {
  const { manifests, findings } = await load([join(examples, name)]);
  const { record, findings: refused } = resolveRecord(manifests, findings);
  expect(refused).toEqual([]);
  return record ? gatherTargets(record, source) : expect.unreachable();
}

describe('the examples', () => {
  it.each(packages)('package $service $version has no findings', async ({ service, version }) => {
    const location = `packages/${service}/${version}`;
    const read = await source.read({ type: 'local', location });
    if (!read.ok) expect.unreachable();
    const { package: pkg, findings } = readPackage(read.files, location);
    expect(findings).toEqual([]);
    expect(pkg?.lifecycle).toMatchObject({ service, version });
  });

  it.each(records)('record %s has no findings', async name => {
    const { targets, findings } = await gather(name);
    expect(findings).toEqual([]);
    expect(targets.map(({ service }) => service)).toEqual(['compute', 'database', 'identity', 'image']);
  });

  it('the patched record changes identity and nothing else', async () => {
    const before = await gather('cloud.yaml');
    const after = await gather('cloud-patched.yaml');
    const changed = after.targets.filter(
      (target, index) => JSON.stringify(target) !== JSON.stringify(before.targets[index]),
    );
    expect(changed.map(({ service }) => service)).toEqual(['identity']);
  });

  it('the patch changes images alone', async () => {
    const digests = async (name: string) => {
      const { targets } = await gather(name);
      const parts = targets.find(({ service }) => service === 'identity')?.parts ?? [];
      return parts.flatMap(({ inventory }) => inventory.map(({ name: object, digest }) => [object, digest]));
    };
    expect(await digests('cloud-patched.yaml')).toEqual(await digests('cloud.yaml'));
  });
});
