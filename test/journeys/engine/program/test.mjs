/** Proves that the slice under test does what clients need, and that it is this version. What it writes it takes away again. */
export async function test(env) {
  const name = env.SERVICE.toUpperCase().replaceAll('-', '_');
  const base = `http://${env[`${name}_SERVICE_HOST`]}:${env[`${name}_SERVICE_PORT`]}`;
  const ask = async (method, path, wanted, content) => {
    const response = await fetch(base + path, {
      method,
      signal: AbortSignal.timeout(10_000),
      ...(content && { body: JSON.stringify(content), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    if (response.status !== wanted) throw new TypeError(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const { version } = await ask('GET', '/version', 200);
  if (version !== env.VERSION) throw new TypeError(`${version} answered, not ${env.VERSION}`);
  for (let round = 0; round < 3; round++) {
    const { user } = await ask('POST', '/v3/users', 201, { name: `test-${process.pid}-${round}` });
    const read = await ask('GET', `/v3/users/${user.id}`, 200);
    if (read.user.name !== user.name) throw new TypeError('a user is not read back as written');
    await ask('DELETE', `/v3/users/${user.id}`, 200);
  }
}
