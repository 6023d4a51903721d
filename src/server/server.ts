/**
 * Server: the objects of a cluster over the network, for clients that speak Kubernetes.
 *
 * In: a cluster, the kinds it serves, what containers wrote, and where to listen. Out: an address, and a kubeconfig that leads there.
 * Never: answers anybody without the token anything but that it is there; knows what an object means; keeps anything between requests.
 */
import { randomBytes } from 'node:crypto';
import { CodedError } from '../base/coded-error.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { startWire, type Wire, type WireOptions } from './wire/start-wire.ts';

export interface ServerOptions extends Omit<WireOptions, 'token'> {
  /** Where the kubeconfig is written when the server can be reached. */
  readonly kubeconfig: string;
}

/**
 * Serves a cluster with a token that is new each time, and writes the kubeconfig that has it. Where the port is taken, another one is
 * used. Throws `ServerNotStarted` or `FileUnwritable`; nothing listens then.
 */
export async function startServer(options: ServerOptions): Promise<Wire> {
  const token = randomBytes(32).toString('base64url');
  const stop = new AbortController();
  const wire = await startAnywhere({
    ...options,
    token,
    signal: AbortSignal.any([options.signal, stop.signal]),
  });
  try {
    await writeKubeconfig(options.kubeconfig, { server: wire.address, token });
  } catch (error) {
    stop.abort();
    await wire.ended;
    throw error;
  }
  return wire;
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
