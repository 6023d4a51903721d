import { type Finding, finding, type Place } from '../../api/finding.ts';
import type { FieldPath } from '../../api/schema/problem.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { StoredObject } from '../../cluster/cluster.ts';
import { parseTargetPath } from '../../record/check-values-from.ts';
import { parseYaml } from '../../record/parse-yaml.ts';
import type { ResolvedService } from '../../record/record.ts';

/** One entry of `valuesFrom`. */
export type ValuesEntry = ResolvedService['valuesFrom'][number];

/** What one entry gives: one value, a whole map, nothing, or a finding. */
export type ReadEntry =
  | { readonly nothing: true }
  | { readonly finding: Finding }
  | { readonly value: string; readonly path: FieldPath }
  | { readonly map: JsonObject; readonly place: Place; readonly from: string };

/** Reads what an entry names; `object` is undefined where it is not there. No finding holds a value. */
export function readEntry(
  entry: ValuesEntry,
  object: StoredObject | undefined,
  placeOf: (field: keyof ValuesEntry) => Place,
): ReadEntry {
  const { kind, name, valuesKey, targetPath } = entry;
  const from = `${kind} ${name}`;
  if (!object) {
    if (entry.optional) return { nothing: true };
    return { finding: finding('ValuesFromMissing', `${from} is not there`, placeOf('name')) };
  }
  const key = valuesKey ?? 'values.yaml';
  const text = textAt(object, key);
  const keyPlace = placeOf(valuesKey === undefined ? 'name' : 'valuesKey');
  if (text === undefined)
    return { finding: finding('ValuesFromMissing', `${from} has no key ${key}`, keyPlace) };
  if (text === 'not text')
    return { finding: finding('FieldType', `${key} of ${from} is not text`, keyPlace) };
  if (targetPath === undefined) return readMap(text.text, `${key} of ${from}`, keyPlace);
  const path = parseTargetPath(targetPath);
  if (path) return { value: text.text, path };
  return {
    finding: finding(
      'FieldInvalid',
      `"${targetPath}" is not a path such as database.password`,
      placeOf('targetPath'),
    ),
  };
}

function textAt(object: StoredObject, key: string): { readonly text: string } | 'not text' | undefined {
  const data = isObject(object['data']) ? object['data'] : {};
  const binary = isObject(object['binaryData']) ? object['binaryData'] : {};
  if (object.kind === 'ConfigMap' && Object.hasOwn(data, key)) return { text: String(data[key]) };
  const encoded = object.kind === 'Secret' ? data : binary;
  if (!Object.hasOwn(encoded, key)) return undefined;
  try {
    const bytes = Buffer.from(String(encoded[key]), 'base64');
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return 'not text';
  }
}

/** What is wrong is said by line: the words of a parser may quote the text, which may be a secret. */
function readMap(text: string, from: string, place: Place): ReadEntry {
  const { manifests, findings } = parseYaml(from, text);
  const wrong = findings.find(({ code }) => code !== 'FileEmpty');
  if (wrong) {
    const line = wrong.line === undefined ? '' : ` (line ${wrong.line})`;
    return { finding: finding(wrong.code, `${from} is no map of values${line}`, place) };
  }
  const [manifest, second] = manifests;
  if (second) return { finding: finding('YamlSyntax', `${from} has more than one document`, place) };
  return manifest ? { map: manifest.object, place, from } : { nothing: true };
}
