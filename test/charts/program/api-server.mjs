/** The API server of the cluster, as the account of the pod, or as a kubeconfig says (`KUBECONFIG`) where pods have no account. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const account = '/var/run/secrets/kubernetes.io/serviceaccount';

function accessOf(env) {
  if (env.KUBECONFIG) {
    const text = readFileSync(env.KUBECONFIG, 'utf8');
    const field = name => /^"?(.*?)"?$/.exec(new RegExp(`${name}: (.*)`).exec(text)?.[1] ?? '')?.[1] ?? '';
    const authority = Buffer.from(field('certificate-authority-data'), 'base64').toString();
    return { server: field('server'), token: field('token'), ca: authority };
  }
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  if (!host) throw new TypeError('no API server: the pod has no account, and KUBECONFIG is not set');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    token: readFileSync(`${account}/token`, 'utf8').trim(),
    ca: readFileSync(`${account}/ca.crt`, 'utf8'),
  };
}

/** An answer of the API server; undefined for what is not there. */
export function askApiServer(env, path, { method = 'GET', content, type = 'application/json' } = {}) {
  const { server, token, ca } = accessOf(env);
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': type };
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, server), { method, ca, headers, timeout: 20_000 }, response => {
      const chunks = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 404) return resolve(undefined);
        if (response.statusCode >= 300)
          return reject(new TypeError(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
        resolve(JSON.parse(text));
      });
    });
    call.on('timeout', () => call.destroy(new TypeError(`${method} ${path}: no answer`)));
    call.on('error', reject);
    call.end(content === undefined ? undefined : JSON.stringify(content));
  });
}
