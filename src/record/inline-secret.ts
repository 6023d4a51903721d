import { type Finding, finding, formatPath } from '../api/finding.ts';
import type { FieldPath } from '../api/schema/problem.ts';
import { isObject, type Json } from '../base/json.ts';
import { type Draft, textOf } from './draft.ts';
import { placeOf } from './place-of.ts';

/**
 * Secrets written in plain text under `spec.shared` and the `values` of services: by the name of their key, as a
 * password inside a URL, as a private key. The message never repeats the secret.
 */
export function findInlineSecrets(draft: Draft): Finding[] {
  const shared = secretsIn(draft.spec['shared'], [], '').map(({ path, what }) => {
    const advice = `Put it into a Secret and give each service that needs it ${entryFor('shared', path)}.`;
    return inlineSecret(draft, ['spec', 'shared', ...path], what, advice);
  });
  const own = draft.services.flatMap(({ object, path: at }) =>
    secretsIn(object['values'], [], '').map(({ path, what }) => {
      const advice = `Put it into a Secret and write ${entryFor(textOf(object, 'name') ?? 'service', path)}.`;
      return inlineSecret(draft, [...at, 'values', ...path], what, advice);
    }),
  );
  // No key name gives these away, but a URL may carry a password.
  const urls = draft.services.flatMap(({ object, path: at }) =>
    secretsIn({ endpoint: object['endpoint'] ?? null, source: object['source'] ?? null }, [], '').map(
      ({ path, what }) =>
        inlineSecret(draft, [...at, ...path], what, 'Leave user and password out of the address.'),
    ),
  );
  const source = secretsIn(draft.spec['source'], ['source'], '').map(({ path, what }) =>
    inlineSecret(draft, ['spec', ...path], what, 'Leave user and password out of the address.'),
  );
  return [...shared, ...own, ...urls, ...source];
}

function inlineSecret(draft: Draft, path: FieldPath, what: string, advice: string): Finding {
  return finding('InlineSecret', `${formatPath(path)} ${what}`, placeOf(draft.manifest, path), advice);
}

/** The entry that would bring the value to the very place where it was found. */
function entryFor(owner: string, path: FieldPath): string {
  const key = [...path].reverse().find(step => typeof step === 'string') ?? 'value';
  const valuesKey = key.replace(/[^-._A-Za-z0-9]/g, '-');
  const field = formatPath(path);
  const target = /^[-.\w]+$/.test(field) ? field : JSON.stringify(field); // brackets would end a map in braces
  return `\`valuesFrom: [{ kind: Secret, name: ${owner}-secrets, valuesKey: ${valuesKey}, targetPath: ${target} }]\``;
}

interface Secret {
  readonly path: FieldPath;
  readonly what: string;
}

/** Walks a value; the items of a list stand under the key of the list. */
function secretsIn(value: Json | undefined, path: FieldPath, key: string): Secret[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => secretsIn(item, [...path, index], key));
  }
  if (isObject(value)) {
    return Object.entries(value).flatMap(([name, item]) => secretsIn(item, [...path, name], name));
  }
  const what = value === undefined ? undefined : describeSecret(key, value);
  return what === undefined ? [] : [{ path, what }];
}

function describeSecret(key: string, value: Json): string | undefined {
  const kind = secretKindOf(key);
  if (typeof value === 'number' && kind === 'password') return 'is a secret in plain text';
  if (typeof value !== 'string' || value === '') return undefined;
  if (kind !== undefined && !isPlaceholder(value)) return 'is a secret in plain text';
  if (/-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY/.test(value)) return 'holds a private key';
  return hasPasswordInUrl(value) ? 'holds a URL with a password' : undefined;
}

/** What some other program fills in, for example `$(DB_PASSWORD)` from the environment of a container. */
function isPlaceholder(text: string): boolean {
  return /^(?:\$\([^()]*\)|\$\{[^{}]*\}|\{\{[^{}]*\}\})$/.test(text.trim());
}

const passwordKey = /(?:password|passwd|passphrase)s?$/;
const otherKey = /(?:secret|token|apikey|privatekey|credentials?|accesskey|secretkey|encryptionkey)$/;

/**
 * Keys that name a Secret object and hold none: `existingSecret`, `passwordSecret`, `tlsSecret`, `imagePullSecret`, and
 * `existingSecretPasswordKey`. (`secretName`, `passwordFile` and their like end in no word of ours.)
 */
const objectKey = /existing|(?:pull|tls|cert|certificate|ca|password|passwd|credentials?)secret$/;

function secretKindOf(key: string): 'password' | 'other' | undefined {
  const plain = key.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (objectKey.test(plain)) return undefined;
  if (passwordKey.test(plain)) return 'password';
  return otherKey.test(plain) ? 'other' : undefined;
}

/** Looks behind every `://` only, so that a long text costs no more than its length. */
function hasPasswordInUrl(text: string): boolean {
  const userInfo = /[^\s/?#@:]*:([^\s/?#@]+)@/y;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    if (!/[A-Za-z0-9+.-]/.test(text[at - 1] ?? '')) continue;
    userInfo.lastIndex = at + 3;
    const password = userInfo.exec(text)?.[1];
    if (password !== undefined && !isPlaceholder(password)) return true;
  }
  return false;
}
