import { isObject, type JsonObject } from '../../../src/base/json.ts';
import type { ApiCall } from '../api-call.ts';

/** One type or field, as far as the shapes look into it. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema;
  readonly items?: OpenApiSchema;
  /** How a field names its type where something else is said of the field too: a list of one. */
  readonly allOf?: readonly OpenApiSchema[];
  readonly $ref?: string;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

/** Every type that an API server tells of, by the name that others refer to it. */
export type OpenApiTypes = ReadonlyMap<string, OpenApiSchema>;

/** Asks an API server for the types of these API versions. */
export async function readOpenApi(call: ApiCall, apiVersions: Iterable<string>): Promise<OpenApiTypes> {
  const documents = await Promise.all([...new Set(apiVersions)].map(one => readDocument(call, one)));
  return new Map(documents.flatMap(document => Object.entries(document)));
}

async function readDocument(call: ApiCall, apiVersion: string): Promise<Record<string, OpenApiSchema>> {
  const path = `/openapi/v3/${apiVersion.includes('/') ? 'apis' : 'api'}/${apiVersion}`;
  const { status, body } = await call('GET', path);
  if (status !== 200) throw new Error(`${path} was answered with ${status}`);
  return schemasOf(body) as Record<string, OpenApiSchema>;
}

function schemasOf(body: unknown): JsonObject {
  const components = isObject(body) ? body['components'] : undefined;
  const schemas = isObject(components) ? components['schemas'] : undefined;
  if (!isObject(schemas)) throw new Error('an OpenAPI document without schemas');
  return schemas;
}
