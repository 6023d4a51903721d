import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../../../base/coded-error.ts';
import type { StartPlan } from '../../isolation/isolation.ts';
import { systemPath } from '../../isolation/program-lead.ts';
import type { ContainerSpec } from '../containers.ts';
import { runScript } from '../shim/run-script.ts';

/** What containers have where nobody says otherwise. */
const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The whole environment of a run's programs. */
export function environmentOf(
  spec: ContainerSpec,
  own: { readonly mark: string; readonly podIp: string; readonly podRoot: string },
): Record<string, string> {
  const [markName = '', mark = ''] = own.mark.split('=');
  // What the manifest says wins; only the mark, by which processes are found, is ours.
  return { PATH: usualPath, POD_IP: own.podIp, POD_ROOT: own.podRoot, ...spec.env, [markName]: mark };
}

/** Puts into a run's folder what its shim needs. */
export function writeRunFiles(
  folder: string,
  spec: ContainerSpec,
  parts: {
    readonly plan: StartPlan;
    readonly env: Readonly<Record<string, string>>;
  },
): void {
  const { plan, env } = parts;
  writeForShim(folder, 'spec.json', JSON.stringify({ ...spec, env }));
  if (plan.mounts !== undefined) writeForShim(folder, 'fstab', plan.mounts);
  writeForShim(folder, 'run.sh', runScript(plan, spec.command, env));
}

/** The first writer has no reader yet. A later one, after a crash, may have: the shim of the manager that crashed. */
function writeForShim(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  // It may hold secrets.
  const mode = 0o600;
  try {
    writeFileSync(file, text, { mode, flag: 'wx' });
  } catch {
    writeFileSync(`${file}.new`, text, { mode });
    renameSync(`${file}.new`, file);
  }
}

/**
 * Starts a shim in a session of its own, with nothing of ours held open, so that it lives on when this process does not. `ended` is
 * called when it ends while we live.
 */
export async function startShim(shim: string, runFolder: string, ended: () => void): Promise<void> {
  const child = spawn('/bin/sh', [shim, runFolder], {
    cwd: '/',
    detached: true,
    env: { PATH: systemPath },
    stdio: 'ignore',
  });
  child.unref();
  child.on('exit', ended);
  await new Promise<void>((resolve, reject) => {
    child.on('spawn', resolve);
    child.on('error', cause =>
      reject(new CodedError('ProcessNotStarted', 'no shell could be started for a container', { cause })),
    );
  });
}
