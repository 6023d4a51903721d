/** What is shown to an API server to be believed. Texts are PEM. */
export interface Credentials {
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
}

/** Where credentials come from. They may change while the program runs. */
export interface CredentialSource {
  /** What to show now. Cheap when nothing has changed. Throws `CredentialsUnavailable`. */
  current(): Promise<Credentials>;
  /** The server did not believe what it was shown: whatever is remembered is to be fetched anew. */
  forget(): void;
}

/** How to reach an API server, and as whom. */
export interface Access {
  /** `https://host:port` and a path, where it is behind one; no slash at the end. */
  readonly server: string;
  /** PEM; without it what the system trusts. */
  readonly authority?: string;
  /** Believe any certificate. Only for a cluster that somebody wrote so of in a kubeconfig. */
  readonly skipVerify?: boolean;
  /** The name the server's certificate must have, where it is not the host. */
  readonly serverName?: string;
  readonly credentials: CredentialSource;
  /** In whose name, where the kubeconfig says so. */
  readonly account?: { readonly user: string; readonly groups?: readonly string[] };
  /** The namespace of the context. */
  readonly namespace: string;
}

/** Credentials that never change. */
export function fixedCredentials(credentials: Credentials): CredentialSource {
  return { current: () => Promise.resolve(credentials), forget: () => {} };
}
