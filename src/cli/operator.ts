import { customKindOf } from '../app/deploy/custom-kinds.ts';
import type { LogFormat, LogLevel } from '../app/operator/operator-log.ts';
import { runOperator } from '../app/operator/run-operator.ts';
import type { RunCommand } from './command.ts';
import { listOption, textOption } from './operate/call-options.ts';
import { untilStopped } from './operate/with-verbs.ts';

/** Runs the operator of a cluster until it is told to stop. */
export const run: RunCommand = async (call, terminal) => {
  const given = (['kubeconfig', 'context', 'namespace', 'packageRoot', 'routers'] as const).flatMap(name => {
    const value = textOption(call, name);
    return value === undefined ? [] : [[name, value]];
  });
  const end = await runOperator(
    {
      ...Object.fromEntries(given),
      follows: listOption(call, 'follow').map(customKindOf),
      metricsAddress: textOption(call, 'metricsAddress') ?? ':8080',
      leaderElect: textOption(call, 'leaderElect') !== 'false',
      logLevel: (textOption(call, 'logLevel') ?? 'info') as LogLevel,
      logFormat: (textOption(call, 'logFormat') ?? 'json') as LogFormat,
    },
    { signal: untilStopped(terminal), write: terminal.print },
  );
  return end === 'stopped' ? 'ok' : 'failed';
};
