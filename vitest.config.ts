import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';

/** Files that start browsers, servers and processes take longest, so they begin first and none is left for the end. */
const longest = [/test\/docs\/site/, /test\/browser\//, /test\/reliability\//, /acceptance\//, /published/];

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const rank = ({ moduleId }: { readonly moduleId: string }) => {
      const at = longest.findIndex((each) => each.test(moduleId));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/given/prepare-databases.ts',
    // Real processes start slowly on a busy machine; virtual time keeps all else short.
    testTimeout: 30_000,
    expect: { poll: { timeout: 15_000 } },
    // Many tests wait for processes and clocks, so there are two workers more than cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
  },
});
