import { Pool } from 'undici';
import { ClusterError } from '../cluster-error.ts';
import type { Access, Credentials } from './access/access.ts';

/** Connections to one server, with what is to be shown over them. */
export interface OpenPools {
  readonly credentials: Credentials;
  readonly requests: Pool;
  /** Apart, and without a limit: each watch keeps a connection for itself, and must not keep it from a request. */
  readonly watches: Pool;
}

/** Connections that are kept as long as the client certificate is the same. */
export class ConnectionPools {
  readonly #access: Access;
  readonly #origin: string;
  readonly #connections: number;
  #pools: OpenPools | undefined;

  constructor(access: Access, origin: string, connections: number) {
    this.#access = access;
    this.#origin = origin;
    this.#connections = connections;
  }

  /** The pools for the credentials of now. Throws `Unauthorized` where there are none to be had. */
  async open(): Promise<OpenPools> {
    const credentials = await this.#access.credentials.current().catch((cause: Error) => {
      throw new ClusterError('Unauthorized', cause.message, { cause });
    });
    const old = this.#pools;
    const isSame =
      old?.credentials.certificate === credentials.certificate && old?.credentials.key === credentials.key;
    if (old && isSame) return { ...old, credentials };
    const connect = this.#tls(credentials);
    const requests = new Pool(this.#origin, { connections: this.#connections, connect });
    const watches = new Pool(this.#origin, { connections: null, connect });
    this.#pools = { credentials, requests, watches };
    // The old ones end their work: requests soon, watches when the server ends them.
    void old?.requests.close();
    void old?.watches.close();
    return this.#pools;
  }

  /** Ends every connection, in whatever it is doing. */
  async close(): Promise<void> {
    const pools = this.#pools;
    this.#pools = undefined;
    await Promise.all([pools?.requests.destroy(), pools?.watches.destroy()]);
  }

  #tls({ certificate, key }: Credentials) {
    const { authority, skipVerify = false, serverName } = this.#access;
    return {
      timeout: 5000,
      keepAlive: true,
      keepAliveInitialDelay: 15_000,
      rejectUnauthorized: !skipVerify,
      ...(authority === undefined ? {} : { ca: authority }),
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(key === undefined ? {} : { key }),
      ...(serverName === undefined ? {} : { servername: serverName }),
    };
  }
}
