import { spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { normaliseText } from './normalise-text.ts';
import type { Session } from './sessions.ts';

/** A cluster as a person at a terminal has it. */
export interface Terminal {
  readonly kubeconfig: string;
  readonly kubectl: string;
  readonly helm: string;
  readonly image: string;
  /** Lines that make a namespace ready for Pods. */
  readonly prepare?: readonly string[];
}

/** What was said to a line. */
export interface Answer {
  readonly line: string;
  /** What the program wrote, to both outputs, and how it ended where that was not well. */
  readonly said: string;
}

/** Has a session with a cluster, in a namespace and a folder of its own that are gone afterwards. */
export async function runSession(terminal: Terminal, { name, steps }: Session): Promise<Answer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'afloat-session-'));
  const namespace = `session-${name.replaceAll(' ', '-')}`;
  await mkdir(join(folder, 'home'));
  const kubeconfig = join(folder, 'kubeconfig');
  await copyFile(terminal.kubeconfig, kubeconfig);
  const path = [dirname(terminal.kubectl), dirname(terminal.helm), process.env['PATH']].join(delimiter);
  const environment = {
    PATH: path,
    HOME: join(folder, 'home'),
    KUBECONFIG: kubeconfig,
    IMAGE: terminal.image,
  };
  const say = (line: string) => runLine(line, folder, environment);
  try {
    await say(`kubectl delete namespace ${namespace} --ignore-not-found`);
    await say(`kubectl create namespace ${namespace}`);
    await say(`kubectl config set-context --current --namespace=${namespace}`);
    for (const line of terminal.prepare ?? []) await say(line);
    const answers: Answer[] = [];
    for (const line of steps) answers.push({ line, said: normaliseText(await say(line)) });
    return answers;
  } finally {
    await say(`kubectl delete namespace ${namespace} --wait=false`);
    await rm(folder, { recursive: true, force: true });
  }
}

async function runLine(line: string, folder: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('sh', ['-c', `exec 2>&1\n${line}`], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number>(resolve => child.once('close', code => resolve(code ?? 1)));
  const [said, code] = await Promise.all([text(child.stdout), ended]);
  const plain = said.replaceAll(folder, '.');
  return code === 0 ? plain : `${plain.trimEnd()}\n(exit ${code})`;
}
