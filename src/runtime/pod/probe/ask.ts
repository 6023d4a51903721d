import type { ContainerId, Containers } from '../../container/containers.ts';
import type { Container, Hook, Probe } from '../pod-shape.ts';
import { type Asked, askHttp } from './ask-http.ts';
import { askTcp } from './ask-tcp.ts';

/** The container that is asked. */
export interface Subject {
  readonly id: ContainerId;
  readonly container: Container;
  readonly podIp: string;
}

/** Does what a probe or a hook says, once. A question that cannot be asked is a bad answer. */
export async function ask(
  hook: Hook & Pick<Probe, 'grpc'>,
  { id, container, podIp }: Subject,
  containers: Containers,
  timeoutSeconds: number,
): Promise<Asked> {
  if (hook.exec) return askProgram(hook.exec.command ?? [], id, containers, timeoutSeconds);
  if (hook.grpc)
    return { isGood: false, output: 'grpc probes are not supported here; use tcpSocket or exec' };
  const target = hook.httpGet ?? hook.tcpSocket;
  if (!target) return { isGood: false, output: `missing probe handler for ${container.name}` };
  const port = portOf(target.port, container);
  if (port === undefined) return { isGood: false, output: `couldn't find port ${target.port}` };
  if (hook.httpGet) return askHttp({ get: hook.httpGet, podIp, port, timeoutSeconds });
  return askTcp(target.host ?? podIp, port, timeoutSeconds);
}

async function askProgram(
  command: readonly string[],
  id: ContainerId,
  containers: Containers,
  timeoutSeconds: number,
): Promise<Asked> {
  const { exitCode, output, timedOut } = await containers.exec(id, command, timeoutSeconds);
  if (timedOut) {
    return {
      isGood: false,
      output: `command timed out: "${command.join(' ')}" timed out after ${timeoutSeconds}s`,
    };
  }
  return { isGood: exitCode === 0, output };
}

/** A port by number, or by its name in the container. */
function portOf(port: number | string, { ports = [] }: Container): number | undefined {
  if (typeof port === 'number') return port;
  if (/^\d+$/.test(port)) return Number(port);
  return ports.find(({ name }) => name === port)?.containerPort;
}
