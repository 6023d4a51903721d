import type { ClusterObject, ObjectType, StoredObject } from '../cluster.ts';
import { isReason } from '../cluster-error.ts';
import { type CaseWorld, eventually } from './case-world.contract.ts';

export const crdType: ObjectType = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
};

const group = 'differences.afloat.dev';

/** A definition of somebody else with the given spec of its objects. */
function definition(plural: string, kind: string, spec: object): ClusterObject {
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    ...crdType,
    metadata: { name: `${plural}.${group}`, labels: { 'made-by': 'differences' } },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** An object of a foreign kind that breaks a rule of its schema. */
export async function makeRuleBreaker(world: CaseWorld): Promise<StoredObject> {
  const type: ObjectType = { apiVersion: `${group}/v1`, kind: 'Stranger' };
  const rules = [{ rule: 'self.most < 5', message: 'too many' }];
  const properties = { most: { type: 'integer' } };
  const schema = { type: 'object', properties, 'x-kubernetes-validations': rules };
  await world.create(definition('strangers', 'Stranger', schema));
  // A server serves a kind a moment after its definition.
  await eventually('the kind is served', () =>
    world.cluster.list(type).then(
      () => true,
      error => {
        if (isReason(error, 'NotFound')) return false;
        throw error;
      },
    ),
  );
  return world.create(world.object(type, 'one', { spec: { most: 9 } }));
}
