/** Makes the first user, by the service's own name, as a client does, of its own version. Run again it makes another of the same name. */
export async function bootstrap(env) {
  const name = `${env.SERVICE}-api`.toUpperCase().replaceAll('-', '_');
  const host = env[`${name}_SERVICE_HOST`] ?? `${env.SERVICE}-api`;
  const answer = await fetch(`http://${host}:${env.PORT}/version`, { signal: AbortSignal.timeout(10_000) });
  const { version } = await answer.json();
  if (version !== env.VERSION) throw new TypeError(`${version} answered, not ${env.VERSION}`);
  const response = await fetch(`http://${host}:${env.PORT}/v3/users`, {
    method: 'POST',
    signal: AbortSignal.timeout(10_000),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: env.BOOTSTRAP_USER }),
  });
  if (response.status !== 201)
    throw new TypeError(`POST /v3/users: ${response.status} ${await response.text()}`);
}
