import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/repo/fresh-dist.setup.ts'],
    // Real processes, signals and working directories: worker threads cannot have their own.
    pool: 'forks',
    // Live tests wait for tmux and git most of the time, so three workers keep two cores busy without starving a spinner.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    reporters: ['default'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts'],
      reporter: ['text-summary', 'html'],
    },
    projects: [
      { extends: true, test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 10_000 } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 } },
    ],
  },
});
