import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a minute or more: those that compute, and those that wait for processes. */
const computing = /test\/journeys\/kill\//;
const waiting =
  /test\/journeys\/|src\/runtime\/[\w-]*runtime\.test|test\/cli-(?:world|built)|embedded\/kill\.test/;

/** The long ones first, so that no worker is left alone with one at the end; computing and waiting by turns, which fits onto two cores. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const computes = sorted.filter(({ moduleId }) => computing.test(moduleId));
    const waits = sorted.filter(({ moduleId }) => waiting.test(moduleId) && !computing.test(moduleId));
    const long = waits.flatMap((one, index) => [one, ...computes.slice(index, index + 1)]);
    long.push(...computes.slice(waits.length));
    return [...long, ...sorted.filter(one => !long.includes(one))];
  }
}

export default defineConfig({
  test: {
    include: ['{src,test,scripts,bench}/**/*.test.ts'],
    // Suites that need bigger real parts have commands of their own.
    exclude: ['**/*.kubernetes.test.ts', '**/*.openstack.test.ts', '**/node_modules/**'],
    setupFiles: ['src/testing/seed.ts', 'src/testing/no-world.ts'],
    // What hangs is found by deadlines of its own; a busy machine is no failure.
    ...{ testTimeout: 60_000, hookTimeout: 60_000 },
    // Journeys mostly wait for real processes: two at once fit onto two cores.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
  },
});
