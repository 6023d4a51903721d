import type { StructuralSchema } from '../../api/schema/structural-schema.ts';
import type { JsonObject } from '../../base/json.ts';
import { decodeFields, openEnvelope } from './decode-object.ts';
import { bytesOf, readMessage } from './read-message.ts';

const text: StructuralSchema = { type: 'string' };

/** Built-in types that are no objects have no schema; this is what is read of them. */
const options: StructuralSchema = {
  type: 'object',
  properties: {
    gracePeriodSeconds: { type: 'integer' },
    propagationPolicy: text,
    dryRun: { type: 'array', items: text },
  },
};
const conditions: StructuralSchema = { type: 'object', properties: { uid: text, resourceVersion: text } };
const conditionsNumber = 2;

/** `DeleteOptions` in Kubernetes' protobuf, as JSON. Throws `BadRequest` for what is none. */
export function decodeDeleteOptions(body: Buffer): JsonObject {
  const { message } = openEnvelope(body);
  const nested = bytesOf(readMessage(message), conditionsNumber);
  return {
    ...decodeFields('meta.v1.DeleteOptions', options, message),
    ...(nested ? { preconditions: decodeFields('meta.v1.Preconditions', conditions, nested) } : {}),
  };
}
