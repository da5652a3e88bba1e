import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Real processes start slowly on a busy machine; virtual time keeps all else short.
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    // Many tests wait for processes and clocks, so every core gets a worker.
    maxWorkers: '100%',
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
  },
});
