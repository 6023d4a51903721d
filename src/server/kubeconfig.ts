import { writePrivateFile } from './private-file.ts';

/** What a kubeconfig says of one cluster. */
export interface KubeconfigFacts {
  readonly server: string;
  readonly token: string;
  /** Who signed what the server shows, as PEM; absent for a server without TLS. */
  readonly authority?: string;
  /** The name of cluster, user and context. */
  readonly name?: string;
  readonly namespace?: string;
}

/** A kubeconfig with one context, as YAML. */
export function kubeconfigText(facts: KubeconfigFacts): string {
  const { server, token, authority, name = 'afloat', namespace } = facts;
  // JSON's texts are YAML's, whatever is in them.
  const [id, url, shown] = [name, server, token].map(text => JSON.stringify(text));
  return `apiVersion: v1
kind: Config
current-context: ${id}
clusters:
  - name: ${id}
    cluster:
      server: ${url}
${authority === undefined ? '' : `      certificate-authority-data: ${Buffer.from(authority).toString('base64')}\n`}users:
  - name: ${id}
    user:
      token: ${shown}
contexts:
  - name: ${id}
    context:
      cluster: ${id}
      user: ${id}
${namespace === undefined ? '' : `      namespace: ${JSON.stringify(namespace)}\n`}`;
}

/** Writes a kubeconfig that only its owner can read, as a whole or not at all. Throws `FileUnwritable`. */
export function writeKubeconfig(file: string, facts: KubeconfigFacts): Promise<void> {
  return writePrivateFile(file, kubeconfigText(facts));
}
