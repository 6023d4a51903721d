import { isObject } from '../../../src/base/json.ts';
import { builtinKinds } from '../../../src/cluster/embedded/kinds/builtin-kinds.ts';
import { apiVersionOf } from '../../../src/cluster/embedded/kinds/kind-rules.ts';
import type { GeneratedFile } from '../../generate/generated-file.ts';
import type { ApiCall } from '../api-call.ts';
import { readOpenApi } from './open-api.ts';
import { shapeLines } from './shape-lines.ts';

/** The table of built-in types as this API server would have it, for the kinds that the embedded cluster has. */
export async function shapesFile(call: ApiCall): Promise<GeneratedFile> {
  const types = await readOpenApi(call, builtinKinds.map(apiVersionOf));
  const lines = shapeLines(types, builtinKinds);
  const content = `${header(await versionOf(call))}${lines.join('\n')}\n\`;\n`;
  return { path: 'src/cluster/embedded/kinds/builtin-shapes.ts', content };
}

async function versionOf(call: ApiCall): Promise<string> {
  const { body } = await call('GET', '/version');
  return String(isObject(body) ? body['gitVersion'] : undefined);
}

function header(version: string): string {
  return `/**
 * The shape of every built-in kind, one type a line: name, \`!\` where the whole object has one owner, then its fields. Made from
 * the OpenAPI of Kubernetes ${version} by scripts/kubernetes/write-builtin-shapes.ts, never by hand.
 *
 * \`s\` text, \`i\` whole number, \`n\` number, \`b\` true or false, \`t\` date and time, \`x\` whole number or text, \`q\` quantity,
 * \`?\` anything (\`!?\` with one owner), \`@name\` another type, \`{s}\` a map (\`!{s}\` with one owner), \`s[]\` a list with one
 * owner, \`s[*]\` a set, \`@name[a,b]\` a list whose items are told apart by those fields, \`=value\` a default.
 */
export const builtinShapes = \`
`;
}
