import type { JsonObject } from '../../base/json.ts';
import type { ServedKind } from '../../cluster/served-kind.ts';

/** What may stand in the query of a write, for clients that ask before they use it. */
const writeParameters = ['dryRun', 'fieldManager', 'fieldValidation'].map(parameter);

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

/** The paths under which a kind is served, with what can be done there. */
export function kindPaths(served: ServedKind, root: string, schema: JsonObject): Record<string, object> {
  const { group, version, kind, plural, isNamespaced } = served;
  const about = { 'x-kubernetes-group-version-kind': { group, version, kind } };
  const json = { 'application/json': { schema } };
  const responses = { 200: { description: 'OK', content: json } };
  const read = (action: string) => ({ ...about, 'x-kubernetes-action': action, responses });
  const write = (action: string) => ({
    ...read(action),
    parameters: writeParameters,
    requestBody: { content: json, required: true },
  });
  const types = served.definedBy ? patchTypes : [...patchTypes, 'application/strategic-merge-patch+json'];
  const patch = {
    ...read('patch'),
    parameters: [...writeParameters, parameter('force')],
    requestBody: {
      content: Object.fromEntries(types.map(type => [type, { schema: { type: 'object' } }])),
      required: true,
    },
  };
  const place = isNamespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  return {
    ...(isNamespaced ? { [`${root}/${plural}`]: { get: read('list') } } : {}),
    [place]: { get: read('list'), post: write('post'), delete: read('deletecollection') },
    [`${place}/{name}`]: { get: read('get'), put: write('put'), patch, delete: read('delete') },
  };
}

function parameter(name: string): object {
  return { name, in: 'query', schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true } };
}
