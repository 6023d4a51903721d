import { describe, test } from 'vitest';
import { cronJobStories } from './cron-job.contract.ts';
import { daemonSetStories } from './daemon-set.contract.ts';
import { deploymentStories } from './deployment.contract.ts';
import { graceStories } from './grace.contract.ts';
import { jobStories } from './job.contract.ts';
import { jobPolicyStories } from './job-policies.contract.ts';
import { replicaSetStories } from './replica-set.contract.ts';
import { statefulSetStories } from './stateful-set.contract.ts';
import { type WorkloadCluster, type WorkloadTopic, WorkloadWorld } from './workload-world.contract.ts';

const topics: readonly WorkloadTopic[] = [
  replicaSetStories,
  deploymentStories,
  statefulSetStories,
  daemonSetStories,
  jobStories,
  jobPolicyStories,
  cronJobStories,
  graceStories,
];

/** How long a story may take on a busy machine; a few wait for times that are Kubernetes' own. */
const storyTimeout = 300_000;

/**
 * Holds controllers of workloads to the stories: one vitest suite of that name, each story with a namespace of its own. What is
 * in them was played with the controller manager of Kubernetes first: what it does is right.
 */
export function workloadContract(name: string, open: (id: string) => Promise<WorkloadCluster>): void {
  describe(name, () => {
    for (const { topic, stories } of topics) {
      // Side by side: most of a story is waiting.
      describe.concurrent(topic, () => {
        for (const [number, [sentence, story]] of Object.entries(stories).entries()) {
          const id = `${topic.toLowerCase().replaceAll(' ', '-')}-${number + 1}`;
          test(sentence, { timeout: storyTimeout }, async () => {
            const given = await open(id);
            try {
              await story(new WorkloadWorld(given, id));
            } finally {
              await given.close();
            }
          });
        }
      });
    }
  });
}
