import { definitionName, schemaAnnotations } from './definition-schema.ts';
import { group, version } from './group.ts';
import { type Kind, objectSchema } from './kind.ts';

/** The CustomResourceDefinition of a kind, as an API server takes it. */
export function crdOf(kind: Kind): Record<string, unknown> {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: definitionName(kind), annotations: schemaAnnotations(kind) },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.kind.toLowerCase(),
        shortNames: [kind.shortName],
        categories: ['afloat'],
      },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: kind.columns,
          schema: { openAPIV3Schema: objectSchema(kind) },
        },
      ],
    },
  };
}
