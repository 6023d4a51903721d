import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { HttpGet } from '../pod-shape.ts';

/** What a question came to. */
export interface Asked {
  readonly isGood: boolean;
  /** What is said of a failure. */
  readonly output: string;
}

/** Where a question is sent. */
export interface HttpTarget {
  readonly get: HttpGet;
  /** The address of the Pod, where the manifest names none. */
  readonly podIp: string;
  readonly port: number;
  readonly timeoutSeconds: number;
}

/** Asks as a kubelet does: each answer from 200 to 399 is good, certificates are not looked at, nothing is kept open. */
export function askHttp({ get, podIp, port, timeoutSeconds }: HttpTarget): Promise<Asked> {
  const isTls = get.scheme?.toUpperCase() === 'HTTPS';
  const headers: Record<string, string> = {
    'user-agent': 'kube-probe/1.36',
    accept: '*/*',
    connection: 'close',
  };
  for (const { name, value } of get.httpHeaders ?? []) headers[name.toLowerCase()] = value;
  const path = get.path ?? '/';
  return new Promise(resolve => {
    const failed = (error: Error) => resolve({ isGood: false, output: `Get "${path}": ${error.message}` });
    const signal = AbortSignal.timeout(timeoutSeconds * 1000);
    const options = {
      host: get.host ?? podIp,
      port,
      path: path.startsWith('/') ? path : `/${path}`,
      headers,
      agent: false,
      signal,
    };
    const asked = isTls ? requestHttps({ ...options, rejectUnauthorized: false }) : requestHttp(options);
    asked.on('error', error => failed(signal.aborted ? timedOut : error));
    asked.on('response', answer => {
      const status = answer.statusCode ?? 0;
      // What it says does not matter, but a server that is cut off may call that an error.
      answer.resume();
      answer.on('error', error => failed(signal.aborted ? timedOut : error));
      answer.on('end', () => {
        const isGood = status >= 200 && status < 400;
        resolve({ isGood, output: isGood ? '' : `HTTP probe failed with statuscode: ${status}` });
      });
    });
    asked.end();
  });
}

/** Go's words for it; never thrown. */
const timedOut = { name: 'timeout', message: 'context deadline exceeded' };
