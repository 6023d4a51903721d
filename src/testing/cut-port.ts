import type { CutLine } from './cut-line.ts';

/** What of a port is no call to count. */
export interface CutPortOptions {
  /** How the port is called in the record of calls. */
  readonly name: string;
  /** Methods that answer at once with another port, whose calls are counted in its place. */
  readonly ports?: readonly string[];
  /** Methods that answer at once and reach nobody; after the cut they are as good as before. */
  readonly atOnce?: readonly string[];
}

/**
 * Any port as one process sees it that is killed at a call. All methods must answer with a promise, but for those that are named;
 * they are counted in the line with the calls of the other ports, and throw `Cut` from the cut on.
 */
export function cutPort<T extends object>(target: T, line: CutLine, options: CutPortOptions): T {
  const { name, ports = [], atOnce = [] } = options;
  return new Proxy(target, {
    get(object, key) {
      const value: unknown = Reflect.get(object, key, object);
      if (typeof key === 'symbol' || typeof value !== 'function') return value;
      // Called on the object itself: a class with private fields does not know the proxy.
      const call = (...parameters: unknown[]): unknown => Reflect.apply(value, object, parameters);
      if (atOnce.includes(key)) return call;
      if (ports.includes(key))
        return (...parameters: unknown[]) => {
          const port = call(...parameters);
          return isObject(port) ? cutPort(port, line, { ...options, name: `${name}.${key}` }) : port;
        };
      return (...parameters: unknown[]) =>
        line.call(`${name}.${key}`, sayParameter(parameters[0]), async () => call(...parameters));
    },
  });
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** What a call is about, as far as its first parameter tells: an object of the cluster, a name, or some JSON. */
function sayParameter(parameter: unknown): string {
  if (typeof parameter === 'string') return parameter;
  if (!isObject(parameter)) return '';
  const { kind, metadata } = parameter as { kind?: string; metadata?: { name?: string; namespace?: string } };
  if (kind !== undefined && metadata) return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return JSON.stringify(parameter).slice(0, 120);
}
