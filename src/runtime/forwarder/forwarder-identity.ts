import { identityLine, identityOf, isAlive, parseIdentity } from '../process/process-identity.ts';

/** Who this process is, as one line of text: the form in which claims and reports name forwarders. */
export function ownIdentity(pid: number = process.pid): string {
  const identity = identityOf(pid);
  return identity ? identityLine(identity).trimEnd() : '';
}

/** Whether the forwarder of an identity runs. */
export function runs(identity: string): boolean {
  const parsed = parseIdentity(`${identity}\n`);
  return parsed !== undefined && isAlive(parsed);
}

/** The process id in an identity; 0 where there is none. */
export function pidOf(identity: string): number {
  return Number.parseInt(identity, 10) || 0;
}
