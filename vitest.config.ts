import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,test,scripts,bench}/**/*.test.ts'],
    // Suites that need bigger real parts have commands of their own.
    exclude: ['**/*.kubernetes.test.ts', '**/*.openstack.test.ts', '**/node_modules/**'],
    setupFiles: ['src/testing/seed.ts', 'src/testing/no-world.ts'],
    testTimeout: 30_000,
    // Journeys mostly wait for real processes: two at once fit onto two cores.
    maxWorkers: 2,
  },
});
