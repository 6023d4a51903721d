import { digestJson, shortDigest } from '../../base/digest.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { builtinName } from '../../cluster/embedded/kinds/builtin-schema.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';
import { fieldAt } from '../table/read-field.ts';
import { apiVersionOf } from '../wire/kind-index.ts';
import { serverVersion } from '../wire/server-version.ts';
import { kindPaths } from './kind-paths.ts';
import { refTo, SchemaCollector } from './schema-collector.ts';

/** Documents by their place, for the kinds they were made of. */
type Documents = ReadonlyMap<string, () => object>;

const made = new WeakMap<readonly ServedKind[], Documents>();

/**
 * What is served, as OpenAPI v3: the list of documents, or one of them, by its place such as `apis/apps/v1`; undefined where there is
 * none.
 */
export function describeOpenApi(
  kinds: readonly ServedKind[],
  { version, path }: { readonly version: string; readonly path: string },
): object | undefined {
  if (version !== 'v3') return undefined;
  const documents = documentsOf(kinds);
  if (path !== '') return documents.get(path)?.();
  const paths = [...documents].map(([place, make]) => {
    const hash = shortDigest(digestJson(make()));
    return [place, { serverRelativeURL: `/openapi/v3/${place}?hash=${encodeURIComponent(hash)}` }];
  });
  return { paths: Object.fromEntries(paths) };
}

function documentsOf(kinds: readonly ServedKind[]): Documents {
  const known = made.get(kinds);
  if (known) return known;
  const places = [...new Set(kinds.map(placeOf))];
  const documents = new Map(
    places.map(place => {
      let document: object | undefined;
      const make = () => {
        document ??= documentOf(
          place,
          kinds.filter(kind => placeOf(kind) === place),
        );
        return document;
      };
      return [place, make];
    }),
  );
  made.set(kinds, documents);
  return documents;
}

function placeOf(kind: ServedKind): string {
  return `${kind.group === '' ? 'api' : 'apis'}/${apiVersionOf(kind)}`;
}

function documentOf(place: string, kinds: readonly ServedKind[]): object {
  const collector = new SchemaCollector();
  const paths = kinds.map(kind => kindPaths(kind, `/${place}`, schemaOf(kind, collector)));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: serverVersion.gitVersion },
    paths: Object.assign({}, ...paths) as object,
    components: { schemas: collector.schemas },
  };
}

function schemaOf(served: ServedKind, collector: SchemaCollector): JsonObject {
  const { group, version, kind, definedBy } = served;
  const about = { 'x-kubernetes-group-version-kind': [{ group, version, kind }] };
  const builtin = served.schema && builtinName(served.schema);
  if (builtin !== undefined) return collector.add(builtin, about);
  const name = [...group.split('.').reverse(), version, kind].join('.');
  collector.schemas[name] = { ...definedSchema(definedBy ?? {}, collector), ...about };
  return refTo(name);
}

const text = (description: string) => ({ type: 'string', description });

/** The schema of a definition with what all objects have. */
function definedSchema(definedBy: JsonObject, collector: SchemaCollector): object {
  const written = fieldAt(definedBy, 'schema.openAPIV3Schema');
  const { properties, ...schema } = isObject(written) ? written : ({ type: 'object' } as JsonObject);
  return {
    ...schema,
    properties: {
      apiVersion: text('The API group and version that the object is written in.'),
      kind: text('The kind of the object.'),
      ...(isObject(properties) ? properties : {}),
      metadata: { allOf: [collector.add('meta.v1.ObjectMeta')] },
    },
  };
}
