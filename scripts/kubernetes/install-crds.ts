import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isObject } from '../../src/base/json.ts';
import type { Answer, ApiCall } from './api-call.ts';
import { waitUntil } from './process/wait-until.ts';

const folder = join(import.meta.dirname, '..', '..', 'deploy', 'crds');
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A CRD as far as the harness looks into it. */
export interface Crd {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string }[];
  };
}

/** The CRDs of deploy/crds, in the order of their names. */
export async function readCrds(): Promise<Crd[]> {
  const files = (await readdir(folder)).sort();
  return Promise.all(files.map(async file => parse(await readFile(join(folder, file), 'utf8')) as Crd));
}

/**
 * Creates every CRD of deploy/crds, or lays it over the one that is there, and waits until each is served. Throws
 * when the API server refuses one, with its words.
 *
 * Gives the way back: it takes those away that were not there before, with their objects, and waits until they are
 * gone. So a given cluster stays as it was.
 */
export async function installCrds(call: ApiCall): Promise<() => Promise<void>> {
  const crds = await readCrds();
  const answers = await Promise.all(
    crds.map(async crd => {
      const posted = await call('POST', path, crd);
      return posted.status === 409 ? replaceCrd(call, crd) : posted;
    }),
  );
  for (const [index, { status, body }] of answers.entries()) {
    if (status > 201) throw new Error(`${crds[index]?.metadata.name} was refused: ${JSON.stringify(body)}`);
  }
  await Promise.all(crds.map(crd => served(call, crd)));
  const created = crds.map(nameOf).filter((_, index) => answers[index]?.status === 201);
  return async () => {
    await Promise.all(created.map(name => remove(call, name)));
  };
}

/** Lays a CRD over the one that is there; with `dryRun` only asks what the API server would say. */
export async function replaceCrd(call: ApiCall, crd: Crd, dryRun = false): Promise<Answer> {
  const at = `${path}/${nameOf(crd)}`;
  const there = await call('GET', at);
  const metadata = isObject(there.body) && isObject(there.body['metadata']) ? there.body['metadata'] : {};
  const query = dryRun ? '?dryRun=All' : '';
  return call('PUT', `${at}${query}`, { ...crd, metadata: { ...metadata, ...crd.metadata } });
}

/** What the API server says of a CRD: condition type to its status. */
export async function crdConditions(call: ApiCall, crd: Crd): Promise<Record<string, string>> {
  const { body } = await call('GET', `${path}/${nameOf(crd)}`);
  const status = isObject(body) ? body['status'] : undefined;
  const list = isObject(status) ? status['conditions'] : undefined;
  const pairs = Array.isArray(list) ? list.filter(isObject).map(one => [one['type'], one['status']]) : [];
  return Object.fromEntries(pairs);
}

/** Established is said a moment before the API server really serves the kind, so both are waited for. */
async function served(call: ApiCall, crd: Crd): Promise<void> {
  const { group, names, versions } = crd.spec;
  const list = `/apis/${group}/${versions[0]?.name}/${names.plural}?limit=1`;
  await waitUntil(`${nameOf(crd)} is served`, 30, async () => {
    const { Established } = await crdConditions(call, crd);
    return Established === 'True' && (await call('GET', list)).status === 200;
  });
}

async function remove(call: ApiCall, name: string): Promise<void> {
  await call('DELETE', `${path}/${name}`);
  await waitUntil(`${name} is gone`, 60, async () => {
    return (await call('GET', `${path}/${name}`)).status === 404;
  });
}

function nameOf(crd: Crd): string {
  return crd.metadata.name;
}
