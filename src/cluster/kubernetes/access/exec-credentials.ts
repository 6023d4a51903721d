import { execFile } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import type { Clock } from '../../clock.ts';
import type { CredentialSource, Credentials } from './access.ts';
import type { KubeconfigField } from './kubeconfig-field.ts';

/** A program that gives out credentials, as a kubeconfig describes it. */
export interface ExecPlugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly installHint: string | undefined;
  /** What the program is told about the cluster, where it asks for that. */
  readonly cluster: JsonObject | undefined;
  /** Until it must have answered; it is ended then. */
  readonly timeoutSeconds: number;
}

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const defaultTimeoutSeconds = 60;
/** Asked for again a little before the end, so that no request arrives with what is just over. */
const leewaySeconds = 10;

/** Reads `exec` of a user. A program that must talk to a person is refused: there is none. */
export function readExecPlugin(exec: KubeconfigField, cluster: JsonObject): ExecPlugin {
  const apiVersion = exec.text('apiVersion') ?? '';
  if (!apiVersions.includes(apiVersion))
    throw exec.wrong('apiVersion', `must be ${apiVersions.join(' or ')}`);
  const command = exec.text('command');
  if (command === undefined) throw exec.wrong('command', 'is missing');
  if (exec.text('interactiveMode') === 'Always') throw exec.wrong('interactiveMode', 'must not be Always');
  const pairs = exec.items('env').map(item => {
    const name = item.text('name');
    if (name === undefined) throw item.wrong('name', 'is missing');
    return [name, item.text('value') ?? ''] as const;
  });
  return {
    apiVersion,
    // A command with a slash is meant from the folder of the file, one without is looked for on the PATH.
    command: command.includes('/') ? resolve(dirname(exec.file), command) : command,
    arguments: exec.texts('args'),
    environment: Object.fromEntries(pairs),
    installHint: exec.text('installHint'),
    cluster: exec.flag('provideClusterInfo') ? cluster : undefined,
    timeoutSeconds: defaultTimeoutSeconds,
  };
}

/** Credentials from a program: kept until they end or the server does not believe them, fetched once for all who wait. */
export function execCredentials(plugin: ExecPlugin, clock: Clock): CredentialSource {
  let kept: { readonly credentials: Credentials; readonly until: number } | undefined;
  let running: Promise<Credentials> | undefined;
  const fetch = async (): Promise<Credentials> => {
    try {
      kept = credentialsIn(await run(plugin), plugin);
      return kept.credentials;
    } finally {
      running = undefined;
    }
  };
  return {
    current: () => {
      if (kept && clock.wall() < kept.until) return Promise.resolve(kept.credentials);
      running ??= fetch();
      return running;
    },
    forget: () => {
      kept = undefined;
    },
  };
}

function run(plugin: ExecPlugin): Promise<string> {
  const { apiVersion, cluster } = plugin;
  const info = {
    apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(cluster ? { cluster } : {}) },
  };
  const env = { ...process.env, ...plugin.environment, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const options = { env, maxBuffer: 1 << 20, killSignal: 'SIGKILL' } as const;
  return new Promise((done, fail) => {
    const child = execFile(plugin.command, [...plugin.arguments], options, (cause, output, complaints) => {
      clearTimeout(timer);
      if (!cause) return done(output);
      const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
      const hint = isMissing && plugin.installHint ? `\n${plugin.installHint}` : '';
      const words = isMissing ? 'is not there' : `failed: ${complaints.trim().slice(-500) || cause.message}`;
      fail(unavailable(plugin, `${words}${hint}`, cause));
    });
    child.stdin?.end();
    child.stdin?.on('error', () => {}); // it may have ended before
    // Not left to execFile: it waits until the last program that the plugin started has closed its output, perhaps for ever.
    const timer = setTimeout(() => {
      fail(unavailable(plugin, `did not answer within ${plugin.timeoutSeconds} s`));
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, plugin.timeoutSeconds * 1000);
  });
}

function credentialsIn(output: string, plugin: ExecPlugin) {
  // What the program printed is never repeated: it holds the secret.
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    throw unavailable(plugin, 'printed something that is no JSON');
  }
  const { apiVersion, status } = isObject(answer) ? answer : {};
  if (apiVersion !== plugin.apiVersion)
    throw unavailable(plugin, `answered in another version than ${plugin.apiVersion}`);
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = isObject(status) ? status : {};
  const credentials: Credentials = {
    ...(typeof token === 'string' ? { token } : {}),
    ...(typeof clientCertificateData === 'string' ? { certificate: clientCertificateData } : {}),
    ...(typeof clientKeyData === 'string' ? { key: clientKeyData } : {}),
  };
  if (credentials.token === undefined && (!credentials.certificate || !credentials.key))
    throw unavailable(plugin, 'gave neither a token nor a certificate with its key');
  const end =
    typeof expirationTimestamp === 'string' ? Date.parse(expirationTimestamp) : Number.POSITIVE_INFINITY;
  if (Number.isNaN(end)) throw unavailable(plugin, 'gave an expirationTimestamp that is no time');
  return { credentials, until: end - leewaySeconds * 1000 };
}

function unavailable({ command }: ExecPlugin, what: string, cause?: unknown): CodedError {
  return new CodedError('CredentialsUnavailable', `the credential program ${command} ${what}`, {
    cause,
    details: { command },
  });
}
