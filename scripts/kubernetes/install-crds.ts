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
  readonly metadata: { readonly name: string; readonly labels?: object; readonly annotations?: object };
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
 * when the API server refuses one, with its words, after everything is as it was.
 *
 * Gives the way back: it takes those away that were not there before, with their objects, waits until they are gone, and
 * puts those back that were there. So the definitions of a given cluster are as they were, unless the way back is never
 * gone because the tests were killed.
 */
export async function installCrds(call: ApiCall): Promise<() => Promise<void>> {
  const crds = await readCrds();
  const installed = await Promise.all(crds.map(crd => install(call, crd)));
  const goBack = async () => {
    await Promise.all(installed.map(one => one.goBack()));
  };
  for (const { name, answer } of installed) {
    if (answer.status <= 201) continue;
    await goBack();
    throw new Error(`${name} was refused: ${JSON.stringify(answer.body)}`);
  }
  await Promise.all(crds.map(crd => served(call, crd)));
  return goBack;
}

interface Installed {
  readonly name: string;
  readonly answer: Answer;
  /** Makes this one what it was before. */
  goBack(): Promise<void>;
}

async function install(call: ApiCall, crd: Crd): Promise<Installed> {
  const name = nameOf(crd);
  const there = await call('GET', `${path}/${name}`);
  if (there.status !== 200) {
    const answer = await call('POST', path, crd);
    return { name, answer, goBack: async () => (answer.status === 201 ? remove(call, name) : undefined) };
  }
  const answer = await replaceCrd(call, crd);
  return { name, answer, goBack: () => putBack(call, there.body as Crd) };
}

async function putBack(call: ApiCall, before: Crd): Promise<void> {
  const { name, labels, annotations } = before.metadata;
  // Not its version and the like: those are of now.
  const metadata = { name, ...(labels ? { labels } : {}), ...(annotations ? { annotations } : {}) };
  const { status, body } = await replaceCrd(call, { metadata, spec: before.spec });
  if (status !== 200) throw new Error(`${name} could not be put back: ${JSON.stringify(body)}`);
}

/** Lays a CRD over the one that is there; with `dryRun` only asks what the API server would say. */
export async function replaceCrd(call: ApiCall, crd: Crd, dryRun = false): Promise<Answer> {
  const at = `${path}/${nameOf(crd)}`;
  const there = await call('GET', at);
  const metadata = isObject(there.body) && isObject(there.body['metadata']) ? there.body['metadata'] : {};
  const query = dryRun ? '?dryRun=All' : '';
  const type = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  return call('PUT', `${at}${query}`, { ...type, ...crd, metadata: { ...metadata, ...crd.metadata } });
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
