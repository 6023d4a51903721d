import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';

/** How to reach an API server, and as whom. All texts are PEM. */
export interface Access {
  readonly server: string;
  readonly authority?: string | undefined;
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
}

/** A kubeconfig with one cluster, one user and one context, in which that namespace is meant, complete in itself. */
export function kubeconfigText(
  { server, authority, certificate, key, token }: Access,
  namespace?: string,
): string {
  const base64 = (text: string | undefined) => text && Buffer.from(text).toString('base64');
  const user = {
    'client-certificate-data': base64(certificate),
    'client-key-data': base64(key),
    token,
  };
  // What is undefined does not appear in YAML.
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': base64(authority) } }],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
    'current-context': 'test',
  });
}

/**
 * What the current context of a kubeconfig says: certificates and tokens, in it or in files beside it. Ways in that
 * need another program are refused: the harness is not the place to learn them.
 */
export async function readAccess(path: string): Promise<Access> {
  const config: Json = parse(await readFile(path, 'utf8'));
  const context = named(config, 'context', text(config, 'current-context'));
  const cluster = named(config, 'cluster', text(context, 'cluster'));
  const user = named(config, 'user', text(context, 'user'));
  const unknown = ['exec', 'auth-provider', 'username'].filter(key => key in user);
  if (unknown.length > 0) throw new Error(`${path}: a user with ${unknown.join(', ')} is not supported here`);
  const server = text(cluster, 'server');
  if (server === undefined) throw new Error(`${path}: the current context names no server`);
  const pem = (from: JsonObject, key: string) => pemOf(from, key, dirname(path));
  return {
    server,
    authority: await pem(cluster, 'certificate-authority'),
    certificate: await pem(user, 'client-certificate'),
    key: await pem(user, 'client-key'),
    token: text(user, 'token'),
  };
}

function named(config: Json, kind: 'context' | 'cluster' | 'user', name: string | undefined): JsonObject {
  const items = isObject(config) ? config[`${kind}s`] : undefined;
  const found = Array.isArray(items)
    ? items.find(item => isObject(item) && item['name'] === name)
    : undefined;
  const value = isObject(found) ? found[kind] : undefined;
  if (!isObject(value)) throw new Error(`the kubeconfig has no ${kind} ${name ?? ''}`);
  return value;
}

function text(from: Json, key: string): string | undefined {
  const value = isObject(from) ? from[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

async function pemOf(from: JsonObject, key: string, folder: string): Promise<string | undefined> {
  const data = text(from, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString();
  const file = text(from, key);
  return file === undefined ? undefined : readFile(resolve(folder, file), 'utf8');
}
