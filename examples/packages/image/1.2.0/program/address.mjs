/** Where a Service answers: what Kubernetes says in the environment, or else its name. */
export function addressOf(env, name, usualPort) {
  const prefix = name.toUpperCase().replaceAll('-', '_');
  return {
    host: env[`${prefix}_SERVICE_HOST`] || name,
    port: Number(env[`${prefix}_SERVICE_PORT`] || usualPort),
  };
}

/** The same of a Service that a setting names by its address, such as `http://identity:5000`. */
export function addressIn(env, setting, usual) {
  const { hostname, port } = new URL(env[setting] || usual);
  return addressOf(env, hostname, port);
}
