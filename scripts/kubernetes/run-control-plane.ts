/**
 * Starts a control plane and keeps it until Ctrl-C: something to try kubectl on. Prints one line of JSON with what is
 * needed to use it. However this process ends, the control plane ends with it.
 */
import { findPrograms } from './build/find-programs.ts';
import { startControlPlane } from './control-plane.ts';

const start = performance.now();
const programs = await findPrograms(line => console.error(line));
const { folder, kubeconfig, processes, server, stop } = await startControlPlane({ programs });
const seconds = Number(((performance.now() - start) / 1000).toFixed(2));
console.log(
  JSON.stringify({ server, kubeconfig, kubectl: programs.kubectl, folder, processes: processes(), seconds }),
);

const keepAlive = setInterval(() => {}, 60_000);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // Not `once`: a terminal and the program that started us may both send it, and the second must not cut the stop short.
  process.on(signal, () => {
    clearInterval(keepAlive);
    void stop();
  });
}
