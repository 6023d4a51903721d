import { isObject, type Json } from '../../base/json.ts';
import type { ClusterObject } from '../../cluster/cluster.ts';
import { isReason } from '../../cluster/cluster-error.ts';
import { findObject } from '../../cluster/find-object.ts';
import type { DriverReport } from '../../driver/driver.ts';
import type { PhasePorts } from '../phase-run.ts';

/** Stands where something was that nobody is to read. */
export const hidden = '<hidden>';

/**
 * A report of what failed, fit for a status: without the values of the Secrets that its pods refer to, and without what looks like a
 * password. Where such a Secret may not be read, nobody can tell what of the log is secret, and it is left out.
 */
export async function hideSecrets(
  { cluster }: Pick<PhasePorts, 'cluster'>,
  object: ClusterObject,
  report: DriverReport,
): Promise<DriverReport> {
  if (report.state !== 'failed' && report.state !== 'stuck') return report;
  const values: string[] = [];
  let isKnown = true;
  for (const name of secretsOf(object)) {
    const ref = { apiVersion: 'v1', kind: 'Secret', name, namespace: object.metadata.namespace ?? '' };
    try {
      values.push(...valuesIn((await findObject(cluster, ref))?.['data']));
    } catch (error) {
      if (!isReason(error, 'Forbidden')) throw error;
      isKnown = false;
    }
  }
  const { log, ...rest } = report;
  const shown = log === undefined || !isKnown ? {} : { log: hideIn(log, values) };
  return { ...rest, message: hideIn(report.message, values), ...shown };
}

/** The Secrets that the pods of an object refer to, by name. */
export function secretsOf(object: ClusterObject): string[] {
  const found = new Set<string>();
  const add = (name: Json | undefined) => typeof name === 'string' && name !== '' && found.add(name);
  const walk = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const item of value) walk(item as Json);
    if (!isObject(value)) return;
    for (const [key, item] of Object.entries(value)) {
      if ((key === 'secretKeyRef' || key === 'secretRef' || key === 'secret') && isObject(item))
        add(item['name'] ?? item['secretName']); // env, envFrom, volumes and their projections
      walk(item);
    }
  };
  walk(object['spec'] as Json | undefined);
  return [...found].sort();
}

/** Words that are too short are in every text; what follows them would not be hidden by hiding them. */
const shortest = 4;

function valuesIn(data: unknown): string[] {
  if (!isObject(data)) return [];
  return Object.values(data).flatMap(value => {
    if (typeof value !== 'string') return [];
    const text = Buffer.from(value, 'base64').toString('utf8');
    // Of a file that is a Secret, a program may have written one line.
    return [text.trim(), value, ...text.split('\n').map(line => line.trim())];
  });
}

const pair =
  /([\w.-]*(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|credentials?)[\w.-]*["']?\s*[=:]\s*)("[^"]*"|'[^']*'|(?:bearer\s+)?[^\s,;&|)]+)/gi;
const inAddress = /(:\/\/[^\s/:@]*:)[^\s/@]+@/g;

/** The text without these values, and without what is written behind a word such as `password=`. */
export function hideIn(text: string, values: readonly string[]): string {
  const known = [...new Set(values)]
    .filter(value => value.length >= shortest)
    .sort((a, b) => b.length - a.length);
  const without = known.reduce((left, value) => left.replaceAll(value, hidden), text);
  return without.replace(pair, `$1${hidden}`).replace(inAddress, `$1${hidden}@`);
}
