import { compareDefinition, definitionName, schemaGenerationOf } from '../api/definition-schema.ts';
import { kinds } from '../api/kinds.ts';
import { openstackDeployment } from '../api/openstack-deployment.ts';
import { schemaGenerations } from '../api/schema-generations.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { isReason } from '../cluster/cluster-error.ts';
import { findObject } from '../cluster/find-object.ts';
import type { Check } from '../status/cloud-checks.ts';

/** The type of a definition. */
export const definitionType = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
} as const;

/** The kinds whose definitions in a cluster are other than ours, by their plural. One that is not there is an older one. */
export interface OtherDefinitions {
  readonly older: readonly string[];
  readonly newer: readonly string[];
}

/** Compares the definitions of a cluster with those of this program. Throws `Forbidden` for who may not read them. */
export async function findOtherDefinitions(cluster: Cluster): Promise<OtherDefinitions> {
  const found = await Promise.all(
    kinds.map(async kind => {
      const definition = await findObject(cluster, { ...definitionType, name: definitionName(kind) });
      return { plural: kind.plural, is: compareDefinition(kind, definition?.metadata.annotations) };
    }),
  );
  const those = (is: string) => found.filter(one => one.is === is).map(({ plural }) => plural);
  return { older: those('older'), newer: those('newer') };
}

/** What brings definitions to the version of this program. */
export const bringDefinitions =
  'Bring them to this version: afloat install (with Helm: kubectl apply --server-side --force-conflicts -f deploy/crds)';

/** That definitions are older, and what that means. */
export function sayOlder(plurals: readonly string[]): string {
  return `definitions in this cluster are older than this program, and the API server drops what they do not know: ${plurals.join(', ')}`;
}

/** That definitions are newer, and what that means. */
export function sayNewer(plurals: readonly string[]): string {
  return `definitions in this cluster are newer than this program, which leaves alone what it does not know: ${plurals.join(', ')}`;
}

/**
 * One line for who uses this program on a cluster with older definitions; undefined where they are not, or cannot be read. They are
 * installed all at once, so one tells of all: every command asks this.
 */
export async function warnOfOldDefinitions(cluster: Cluster): Promise<string | undefined> {
  try {
    const name = definitionName(openstackDeployment);
    const { metadata } = await cluster.get({ ...definitionType, name });
    if (schemaGenerationOf(metadata.annotations) >= schemaGenerations.length) return undefined;
    return `The definitions in this cluster are older than this program: what they do not know is dropped. ${bringDefinitions}`;
  } catch (error) {
    // What is really wrong with the cluster is said by what the command is about.
    if (isReason(error, 'Forbidden') || isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** The same as a check of a doctor, by each of them. */
export async function checkDefinitions(cluster: Cluster): Promise<Check> {
  const name = 'definitions';
  try {
    const { older, newer } = await findOtherDefinitions(cluster);
    if (older.length > 0) return { name, state: 'failed', says: sayOlder(older), advice: bringDefinitions };
    if (newer.length > 0)
      return {
        name,
        state: 'warning',
        says: sayNewer(newer),
        advice: 'Use the version that they came with.',
      };
    return { name, state: 'ok', says: `those of this program, generation ${schemaGenerations.length}` };
  } catch (error) {
    if (!isReason(error, 'Forbidden')) throw error;
    const advice = 'Roles may be older than this program. Bring them to this version: afloat install';
    return { name, state: 'warning', says: `cannot be read: ${(error as Error).message}`, advice };
  }
}
