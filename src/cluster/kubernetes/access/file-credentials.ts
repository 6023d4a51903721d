import { readFile } from 'node:fs/promises';
import { CodedError } from '../../../base/coded-error.ts';
import type { Clock } from '../../clock.ts';
import type { CredentialSource, Credentials } from './access.ts';

/** Each credential as it is, or as the path of a file that somebody else may change. */
export interface CredentialParts {
  readonly texts: Credentials;
  readonly files: { readonly [K in keyof Credentials]?: string };
}

/** For how long the content of a file is believed. A kubelet renews tokens long before they end. */
const freshSeconds = 60;

/**
 * Credentials from files that are read again every minute, and at once when the server did not believe them. When a file
 * cannot be read for a moment, what it held before is used.
 */
export function fileCredentials({ texts, files }: CredentialParts, clock: Clock): CredentialSource {
  let last: { readonly credentials: Credentials; readonly at: number } | undefined;
  let reading: Promise<Credentials> | undefined;
  let isStale = true;

  const read = async (): Promise<Credentials> => {
    const entries = Object.entries(files).map(async ([key, file]) => [key, await readPart(file)] as const);
    return { ...texts, ...Object.fromEntries(await Promise.all(entries)) };
  };
  const refresh = async (): Promise<Credentials> => {
    try {
      const credentials = await read();
      isStale = false;
      // The same object as long as nothing has changed: connections are kept by it.
      const isSame = last && JSON.stringify(last.credentials) === JSON.stringify(credentials);
      last = { credentials: isSame && last ? last.credentials : credentials, at: clock.monotonic() };
      return last.credentials;
    } catch (error) {
      if (last) return last.credentials;
      throw error;
    } finally {
      reading = undefined;
    }
  };
  return {
    current: () => {
      const isFresh = last && !isStale && clock.monotonic() - last.at < freshSeconds * 1000;
      if (isFresh && last) return Promise.resolve(last.credentials);
      reading ??= refresh();
      return reading;
    },
    forget: () => {
      isStale = true;
    },
  };
}

async function readPart(file: string): Promise<string> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    if (text !== '') return text;
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new CodedError('CredentialsUnavailable', `${file} cannot be read (${code})`, { cause });
  }
  throw new CodedError('CredentialsUnavailable', `${file} is empty`);
}
