import type { StructuralSchema } from '../../api/schema/structural-schema.ts';
import type { JsonObject } from '../../base/json.ts';
import { builtinName, builtinSchema } from '../../cluster/embedded/kinds/builtin-schema.ts';
import {
  type ListMerge,
  listMergeOf,
  replacedMaps,
  retainsKeys,
} from '../../cluster/embedded/kinds/list-merge.ts';

const prefixes: readonly (readonly [start: string, prefix: string])[] = [
  ['meta.', 'io.k8s.apimachinery.pkg.apis.'],
  ['apiextensions.', 'io.k8s.apiextensions-apiserver.pkg.apis.'],
  ['', 'io.k8s.api.'],
];

const intOrString = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';

/** The name of a built-in type in OpenAPI: `io.k8s.api.apps.v1.Deployment`. */
export function openApiName(name: string): string {
  const [, prefix = ''] = prefixes.find(([start]) => name.startsWith(start)) ?? [];
  return `${prefix}${name}`;
}

/** A reference to a type of the same document. */
export function refTo(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Built-in types as OpenAPI, each once, with all that they refer to. */
export class SchemaCollector {
  readonly schemas: Record<string, object> = {};

  /** Puts a built-in type and what it is made of into the document, and refers to it. */
  add(name: string, more: object = {}): JsonObject {
    const known = openApiName(name);
    if (!Object.hasOwn(this.schemas, known)) {
      // A type may come back to itself.
      this.schemas[known] = {};
      this.schemas[known] = { ...this.#fields(builtinSchema(name)), ...more };
    }
    return refTo(known);
  }

  #fields(schema: StructuralSchema): object {
    const fields = Object.entries(schema.properties ?? {}).map(([field, below]) => [
      field,
      { ...this.#value(below), ...patchWords(schema, field) },
    ]);
    const { 'x-kubernetes-map-type': map } = schema;
    return {
      type: 'object',
      properties: Object.fromEntries(fields),
      ...(map === undefined ? {} : { 'x-kubernetes-map-type': map }),
    };
  }

  #value(schema: StructuralSchema): object {
    const name = builtinName(schema);
    if (name !== undefined) return { allOf: [this.add(name)] };
    const { properties: _, items, additionalProperties, ...rest } = schema;
    if (rest['x-kubernetes-int-or-string']) {
      this.schemas[intOrString] ??= {
        format: 'int-or-string',
        oneOf: [{ type: 'integer' }, { type: 'string' }],
      };
      return { allOf: [refTo(intOrString)] };
    }
    return {
      ...rest,
      ...(items === undefined ? {} : { items: this.#value(items) }),
      ...(additionalProperties === undefined
        ? {}
        : { additionalProperties: this.#value(additionalProperties) }),
    };
  }
}

/** How clients make patches for a field: which lists are merged, and by what. */
function patchWords(parent: StructuralSchema, field: string): object {
  const at = `${builtinName(parent)}.${field}`;
  const merge = listMergeOf(parent, field);
  const words = [
    ...(merge.by === 'whole' ? [] : ['merge']),
    ...(replacedMaps.includes(at) ? ['replace'] : []),
    ...(retainsKeys.includes(at) ? ['retainKeys'] : []),
  ];
  return {
    ...(words.length === 0 ? {} : { 'x-kubernetes-patch-strategy': words.join(',') }),
    ...keyWords(merge),
  };
}

function keyWords(merge: ListMerge): object {
  return merge.by === 'key' ? { 'x-kubernetes-patch-merge-key': merge.key } : {};
}
