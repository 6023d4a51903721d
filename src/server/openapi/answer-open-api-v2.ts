import type { ServerResponse } from 'node:http';

const type = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** A document that says which version it is written in, and nothing else: field 1, three bytes of text. */
const empty = Buffer.from([0x0a, 0x03, ...Buffer.from('2.0')]);

/**
 * Answers with an empty document of OpenAPI v2, in the one form in which clients ask for it: who looks up a type there finds none, leaves
 * the checking to the server, and goes on.
 */
export function answerOpenApiV2(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': type, 'content-length': empty.length }).end(empty);
}
