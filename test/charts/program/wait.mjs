/** What kubernetes-entrypoint does: ends when all that the variables `DEPENDENCY_...` name is there. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { askApiServer } from './api-server.mjs';

export async function waitForAll(env) {
  const waits = [
    ...named(env, env.DEPENDENCY_JOBS).map(one => ({
      says: `Job ${one.name}`,
      isThere: () => jobIsDone(env, one),
    })),
    ...named(env, env.DEPENDENCY_SERVICE).map(one => ({
      says: `Service ${one.name}`,
      isThere: () => serviceAnswers(env, one),
    })),
    ...listed(env.DEPENDENCY_POD_JSON).map(one => ({
      says: `a pod with ${JSON.stringify(one.labels)}`,
      isThere: () => podIsReady(env, one),
    })),
  ];
  for (const { says, isThere } of waits) {
    for (let told = ''; ; await pause(500)) {
      const [found, why] = await isThere().then(
        answer => [answer, 'not there yet'],
        error => [false, error.message],
      );
      if (found) break;
      if (why !== told) process.stdout.write(`waits for ${says}: ${why}\n`);
      told = why;
    }
    process.stdout.write(`${says} is there\n`);
  }
}

/** `namespace:name` or a name alone, with commas between. */
function named(env, text = '') {
  const words = text.split(',').map(word => word.trim());
  return words
    .filter(word => word !== '')
    .map(word => {
      const [first, second] = word.split(':');
      return second === undefined
        ? { namespace: env.NAMESPACE, name: first }
        : { namespace: first, name: second };
    });
}

function listed(text = '') {
  return text === '' ? [] : JSON.parse(text);
}

async function jobIsDone(env, { namespace, name }) {
  const job = await askApiServer(env, `/apis/batch/v1/namespaces/${namespace}/jobs/${name}`);
  return (job?.status?.succeeded ?? 0) > 0;
}

/** Somebody answers at its address: by the variables of Services, or else by its name. */
function serviceAnswers(env, { namespace, name }) {
  const prefix = name.toUpperCase().replaceAll('-', '_');
  const host = env[`${prefix}_SERVICE_HOST`] ?? `${name}.${namespace}`;
  const port = Number(env[`${prefix}_SERVICE_PORT`] ?? 80);
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: 2000 });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('timeout', () => socket.destroy(new TypeError(`${host}:${port} does not answer`)));
    socket.once('error', reject);
  });
}

async function podIsReady(env, { namespace = env.NAMESPACE, labels }) {
  const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const query = encodeURIComponent(selector.join(','));
  const pods = await askApiServer(env, `/api/v1/namespaces/${namespace}/pods?labelSelector=${query}`);
  const isReady = ({ type, status }) => type === 'Ready' && status === 'True';
  return (pods?.items ?? []).some(({ status }) => status?.conditions?.some(isReady));
}
