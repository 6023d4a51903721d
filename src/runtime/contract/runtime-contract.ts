/**
 * What a runtime must do with objects: manifests, each with the phases, conditions, reasons, exit codes, counts, events and outcome
 * that a real Kubernetes gave. Held to it are a real one-node Kubernetes, the judge (`../runtime.node.kubernetes.test.ts`), and
 * the embedded runtime.
 *
 * How a world plugs in: implement `RuntimeWorld` (`runtime-world.ts`): the cluster port, an image with busybox, namespaces, logs, a
 * client among the Pods. Then, in a test file:
 *
 *     runtimeContract('the embedded runtime', async () => startWorld());
 *
 * `start` is called once; all cases share that world, many at a time, each in a namespace of its own. What a world leaves out on
 * purpose is in its `differences`, by the sentence of the case or by the topic, with the reason. To run some cases only: `vitest -t 'Jobs'`.
 *
 * How a case looks at the world: by watching. `run.sees(object, expected)` goes through the states of the object in the order in
 * which they came until one holds all that is expected; what is compared, and what is not and why, is in `views.contract.ts`. A case
 * that fails prints all states it saw, the last status, and the events of its namespace.
 */
import { cronJobCases } from './cron-job.contract.ts';
import { deploymentCases } from './deployment.contract.ts';
import { jobCases } from './job.contract.ts';
import { namespaceCases } from './namespace.contract.ts';
import { podConfigurationCases } from './pod-configuration.contract.ts';
import { podEndCases } from './pod-ends.contract.ts';
import { podInitCases } from './pod-init.contract.ts';
import { podProbeCases } from './pod-probes.contract.ts';
import { podTerminationCases } from './pod-termination.contract.ts';
import { podVolumeCases } from './pod-volumes.contract.ts';
import { replicaCases } from './replicas.contract.ts';
import { runTopics } from './run-topics.contract.ts';
import type { RuntimeWorld } from './runtime-world.ts';
import { serviceCases } from './services.contract.ts';
import { statefulSetCases } from './stateful-set.contract.ts';

/** Every topic, the slowest first: CronJobs wait for full minutes. */
const topics = [
  cronJobCases,
  jobCases,
  deploymentCases,
  statefulSetCases,
  podVolumeCases,
  podConfigurationCases,
  podEndCases,
  podProbeCases,
  podTerminationCases,
  podInitCases,
  replicaCases,
  serviceCases,
  namespaceCases,
];

/** Holds a runtime to the contract: one vitest suite of that name. */
export function runtimeContract(name: string, start: () => Promise<RuntimeWorld>): void {
  runTopics(name, topics, start);
}
