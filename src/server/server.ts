/**
 * Server: the objects of a cluster over the network, for clients that speak Kubernetes.
 *
 * In: a cluster, the kinds it serves, what containers wrote, and where to listen. Out: an address, and a kubeconfig that leads there.
 * Never: answers anybody without the token anything but that it is there; knows what an object means; keeps anything between requests.
 */
import { randomBytes } from 'node:crypto';
import { CodedError } from '../base/coded-error.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { serverIdentity } from './tls/server-identity.ts';
import { startWire, type Wire, type WireOptions } from './wire/start-wire.ts';

export interface ServerOptions extends Omit<WireOptions, 'token' | 'tls'> {
  /** Where the kubeconfig is written when the server can be reached. */
  readonly kubeconfig: string;
  /** Where the certificate is kept that the server shows, with its key. */
  readonly identity: string;
}

/** How often it is looked whether the certificate ends soon: a manager may run for years. */
const identityMilliseconds = 12 * 3600 * 1000;

/**
 * Serves a cluster over TLS, with a token that is new each time, and writes the kubeconfig that has it. Where the port is taken, another
 * one is used. Throws `ServerNotStarted` or `FileUnwritable`; nothing listens then.
 */
export async function startServer(options: ServerOptions): Promise<Wire> {
  const token = randomBytes(32).toString('base64url');
  const stop = new AbortController();
  const identity = await serverIdentity(options.identity);
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const wire = await startAnywhere({ ...options, token, tls: identity, signal });
  const write = (authority: string) =>
    writeKubeconfig(options.kubeconfig, { server: wire.address, token, authority });
  try {
    await write(identity.authority);
  } catch (error) {
    stop.abort();
    await wire.ended;
    throw error;
  }
  renewInTime(options, wire, write);
  return wire;
}

/** Shows the next certificate before the one that is shown has ended, for as long as the server runs. */
function renewInTime(
  { identity: file, signal, onTrouble = () => {} }: ServerOptions,
  wire: Wire,
  write: (authority: string) => Promise<void>,
): void {
  const renew = async () => {
    const identity = await serverIdentity(file);
    wire.renew(identity);
    await write(identity.authority);
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) => onTrouble('renewing the certificate of the server', error));
  }, identityMilliseconds).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}

async function startAnywhere(options: WireOptions): Promise<Wire> {
  try {
    return await startWire(options);
  } catch (error) {
    const isTaken = error instanceof CodedError && error.code === 'ServerNotStarted' && options.port;
    if (!isTaken) throw error;
    return startWire({ ...options, port: 0 });
  }
}
