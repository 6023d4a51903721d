import { isObject, type JsonObject } from '../../base/json.ts';
import { textMap } from './pod-template.ts';

/** The name of the database that a chart works on, where a connection in one of its Secrets, or a custom resource, shows it. */
export function databaseNameOf(objects: readonly JsonObject[]): string | undefined {
  return [...objects.flatMap(ofResource), ...objects.flatMap(ofConnections)].find(isLabel);
}

function ofResource({ kind, metadata, spec }: JsonObject): string[] {
  if (kind !== 'Database' || !isObject(metadata)) return [];
  const name = isObject(spec) ? (spec['name'] ?? metadata['name']) : metadata['name'];
  return typeof name === 'string' ? [name] : [];
}

/** `mysql+pymysql://user:password@host:3306/name?charset=utf8`, in the clear or in base64. */
const connection = /^[a-z0-9+]+:\/\/[^/\s]+\/([\w-]+)(\?\S*)?$/;

function ofConnections(object: JsonObject): string[] {
  if (object['kind'] !== 'Secret') return [];
  const encoded = Object.entries(textMap(object['data'])).map(
    ([key, value]) => [key, decode(value)] as const,
  );
  const all = [...Object.entries(textMap(object['stringData'])), ...encoded];
  return all.flatMap(([key, value]) => {
    const [, name] = /^DB_CONNECTION/.test(key) ? (connection.exec(value.trim()) ?? []) : [];
    return name === undefined ? [] : [name];
  });
}

function decode(value: string): string {
  return Buffer.from(value, 'base64').toString('utf8');
}

function isLabel(name: string): boolean {
  return name.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
}
