import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../base/json.ts';
import { parseTargetPath } from './check-values-from.ts';
import { draftOf } from './draft.ts';
import { findInlineSecrets } from './inline-secret.ts';
import { parseYaml } from './parse-yaml.ts';

function secretsIn(spec: JsonObject) {
  const [manifest] = parseYaml('a.yaml', stringify({ spec })).manifests;
  if (!manifest) throw new Error('the test has no manifest');
  return findInlineSecrets(draftOf(manifest, manifest.object['spec']));
}

const privateKey = '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n';

describe('findInlineSecrets refuses', () => {
  const rows: { name: string; values: Json; field?: string }[] = [
    { name: 'a password', values: { password: 'x1' }, field: 'password' },
    { name: 'a password that is a number', values: { password: 1234 }, field: 'password' },
    { name: 'a password in camel case', values: { adminPassword: 'x1' }, field: 'adminPassword' },
    { name: 'a password in snake case', values: { db_password: 'x1' }, field: 'db_password' },
    { name: 'a password in kebab case', values: { 'db-password': 'x1' }, field: 'db-password' },
    { name: 'a password in capitals', values: { DB_PASSWORD: 'x1' }, field: 'DB_PASSWORD' },
    { name: 'a password in one word', values: { adminpassword: 'x1' }, field: 'adminpassword' },
    { name: 'a passwd', values: { rootPasswd: 'x1' }, field: 'rootPasswd' },
    { name: 'a passphrase', values: { keyPassphrase: 'x1' }, field: 'keyPassphrase' },
    {
      name: 'a secret',
      values: { metadata_proxy_shared_secret: 'x1' },
      field: 'metadata_proxy_shared_secret',
    },
    { name: 'a client secret', values: { oidc: { clientSecret: 'x1' } }, field: 'oidc.clientSecret' },
    { name: 'a token', values: { adminToken: 'x1' }, field: 'adminToken' },
    { name: 'an API key', values: { apiKey: 'x1' }, field: 'apiKey' },
    { name: 'an API key in snake case', values: { api_key: 'x1' }, field: 'api_key' },
    { name: 'a private key by name', values: { private_key: 'x1' }, field: 'private_key' },
    { name: 'credentials', values: { s3Credentials: 'x1' }, field: 's3Credentials' },
    { name: 'an access key', values: { accessKey: 'x1' }, field: 'accessKey' },
    { name: 'a secret key', values: { memcache_secret_key: 'x1' }, field: 'memcache_secret_key' },
    { name: 'an encryption key', values: { auth_encryption_key: 'x1' }, field: 'auth_encryption_key' },
    {
      name: 'a secret in a list of maps',
      values: { users: [{ name: 'a' }, { password: 'x1' }] },
      field: 'users[1].password',
    },
    { name: 'a list of passwords', values: { passwords: ['x1'] }, field: 'passwords[0]' },
    {
      name: 'a password in a URL',
      values: { connection: 'mysql+pymysql://keystone:x1@db/keystone' },
      field: 'connection',
    },
    {
      name: 'a password without user in a URL',
      values: { cache: 'redis://:x1@cache:6379/0' },
      field: 'cache',
    },
    {
      name: 'a URL in the middle of a text',
      values: { note: 'see http://docs and amqp://a:x1@mq/ for more' },
      field: 'note',
    },
    {
      name: 'a private key by its content',
      values: { files: { 'tls.pem': `x\n${privateKey}` } },
      field: 'files["tls.pem"]',
    },
  ];
  it.each(rows)('$name', ({ values, field }) => {
    const own = secretsIn({ services: [{ name: 'keystone', values }] });
    const at = (base: string) => (field?.startsWith('[') ? `${base}${field}` : `${base}.${field}`);
    expect(own.map(found => `${found.code} ${found.field}`)).toEqual([
      `InlineSecret ${at('spec.services[0].values')}`,
    ]);
    const shared = secretsIn({ shared: values });
    expect(shared.map(found => `${found.code} ${found.field}`)).toEqual([
      `InlineSecret ${at('spec.shared')}`,
    ]);
    for (const { message, advice, line, column } of [...own, ...shared]) {
      expect(`${message} ${advice}`).not.toContain('x1');
      expect(`${message} ${advice}`).not.toContain('MIIB');
      expect([line, column]).not.toContain(undefined);
    }
  });
});

describe('findInlineSecrets lets pass', () => {
  const rows: { name: string; values: Json }[] = [
    { name: 'an empty password', values: { password: '' } },
    { name: 'a password that is taken away', values: { password: null } },
    { name: 'a switch', values: { randomPassword: true, allowExpiredToken: true } },
    { name: 'numbers about tokens', values: { tokenExpirationSeconds: 3600, maxToken: 7, token: 5 } },
    {
      name: 'the name of a Secret',
      values: { secretName: 'a', existingSecret: 'b', passwordSecret: 'c', tlsSecret: 'd' },
    },
    { name: 'the key in a Secret', values: { existingSecretPasswordKey: 'password' } },
    { name: 'a reference', values: { passwordRef: 'a', secretKeyRef: { name: 'a', key: 'b' } } },
    {
      name: 'a path',
      values: { passwordFile: '/run/password', tokenPath: '/run/token', private_key_path: '/k' },
    },
    { name: 'pull secrets', values: { imagePullSecret: 'a', imagePullSecrets: [{ name: 'a' }] } },
    {
      name: 'words that only start so',
      values: { tokenProvider: 'fernet', passwordLength: 12, secretary: 'ann' },
    },
    {
      name: 'a map under such a name',
      values: { credentials: { username: 'admin' }, secret: { enabled: true } },
    },
    {
      name: 'what another program fills in',
      values: { password: '$(DB_PASSWORD)', url: 'mysql://a:${P}@db/' },
    },
    {
      name: 'a URL without password',
      values: { a: 'http://user@host/', b: 'https://host:443/a@b', c: 'a://b/c:d@e' },
    },
    { name: 'a public key', values: { ca: '-----BEGIN CERTIFICATE-----\nMIIB\n' } },
    { name: 'values that are no map', values: 'password' },
  ];
  it.each(rows)('$name', ({ values }) => {
    expect(secretsIn({ shared: values, services: [{ name: 'keystone', values }] })).toEqual([]);
  });

  it('a long text in no time', () => {
    const started = performance.now();
    expect(secretsIn({ shared: { a: 'a'.repeat(500_000), b: '://'.repeat(150_000) } })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('the advice', () => {
  const values = { database: { users: [{ password: 'x1' }] }, 'my.cnf': { token: 'x1' } };

  it('shows the entry for the very place', () => {
    const [first] = secretsIn({ services: [{ name: 'keystone', values }] });
    for (const part of [
      'keystone-secrets',
      'valuesKey: password',
      'targetPath: "database.users[0].password"',
    ]) {
      expect(first?.advice).toContain(part);
    }
  });

  it('shows a path that leads back to the place', () => {
    for (const { advice } of secretsIn({ services: [{ name: 'keystone', values }] })) {
      const [manifest] = parseYaml('advice', advice.match(/`(.*)`/)?.[1] ?? '').manifests;
      const [entry] = (manifest?.object['valuesFrom'] ?? []) as readonly { targetPath: string }[];
      const parts = parseTargetPath(entry?.targetPath ?? '') ?? [];
      expect(parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], values)).toBe('x1');
    }
  });

  it('speaks of every service for a shared value', () => {
    const [found] = secretsIn({ shared: { password: 'x1' } });
    expect(found?.advice).toContain('each service');
  });
});
