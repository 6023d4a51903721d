import { gunzipSync } from 'node:zlib';
import { type Finding, finding } from '../../api/finding.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/** What Helm wrote down of one release that runs: the chart it came from, and what it was rendered to. */
export interface HelmRelease {
  readonly name: string;
  readonly namespace: string;
  /** Counts up with every upgrade. */
  readonly revision: number;
  readonly chart: { readonly name: string; readonly version: string; readonly appVersion?: string };
  /** What a person gave beside the chart's own values. */
  readonly values: JsonObject;
  /** As `helm get manifest` prints it. */
  readonly manifest: string;
  readonly hooks: readonly { readonly path: string; readonly manifest: string }[];
}

/** The type of the Secrets in which Helm keeps its releases. */
export const releaseSecretType = 'helm.sh/release.v1';

/** More than fits the one Secret that Helm has for a release, many times over. */
const mostBytes = 64 * 1024 ** 2;

/** A release, or why it cannot be read. `secret` is the name of the Secret, for messages; `written` its `data.release`, as the API server gives it. */
export function readRelease(
  secret: string,
  written: string,
): { readonly release: HelmRelease } | { readonly findings: readonly Finding[] } {
  const wrong = (message: string) => ({
    findings: [
      finding(
        'ReleaseUnreadable',
        `Secret ${secret}: ${message}`,
        {},
        'Look at the release with `helm status`.',
      ),
    ],
  });
  const content = unpack(written);
  if (!content) return wrong('it holds no release that Helm 3 wrote');
  const release = releaseOf(content);
  return release ? { release } : wrong('the release has no name, chart or manifest');
}

/** Base64 of the Secret, base64 of Helm, gzip, JSON. */
function unpack(written: string): JsonObject | undefined {
  const inner = Buffer.from(Buffer.from(written, 'base64').toString('latin1'), 'base64');
  try {
    const text = gunzipSync(inner, { maxOutputLength: mostBytes }).toString('utf8');
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isZipError(error)) return undefined;
    throw error;
  }
}

/** What zlib says of bytes that are not its own, or too many. */
function isZipError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? `${error.code}` : '';
  return code.startsWith('Z_') || code === 'ERR_BUFFER_TOO_LARGE';
}

function releaseOf(content: JsonObject): HelmRelease | undefined {
  const { name, namespace, version, chart, config, manifest, hooks } = content;
  const metadata = isObject(chart) && isObject(chart['metadata']) ? chart['metadata'] : {};
  const { name: chartName, version: chartVersion, appVersion } = metadata;
  if (typeof name !== 'string' || typeof namespace !== 'string' || typeof manifest !== 'string')
    return undefined;
  if (typeof chartName !== 'string' || typeof chartVersion !== 'string') return undefined;
  return {
    ...{ name, namespace, manifest },
    revision: typeof version === 'number' ? version : 1,
    chart: {
      ...{ name: chartName, version: chartVersion },
      ...(typeof appVersion === 'string' && appVersion !== '' ? { appVersion } : {}),
    },
    values: isObject(config) ? config : {},
    hooks: (Array.isArray(hooks) ? hooks : []).flatMap(hook => {
      if (!isObject(hook) || typeof hook['path'] !== 'string' || typeof hook['manifest'] !== 'string')
        return [];
      return [{ path: hook['path'], manifest: hook['manifest'] }];
    }),
  };
}
