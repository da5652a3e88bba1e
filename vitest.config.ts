import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type Reporter } from 'vitest/node';
import { testFiles } from './test/tiers/tier-of.ts';

/** Files that wait long for leases and clocks begin first, then those that compute long, so that none is left for the end. */
const longest = [
  /server-kills|state-faults|rollout-kills|two-servers|server-tutorial|embedded-database/,
  /docs\/site|how-to-add|fleet-installed|published/,
  /browser\/|acceptance\//,
  /reliability\/|account-jobs|intruder|hostile-scripts|server-command/,
];

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const rank = ({ moduleId }: { readonly moduleId: string }) => {
      const at = longest.findIndex((each) => each.test(moduleId));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** With `--retry`, a test that passes only when it is repeated is a defect too, so it is named at the end. */
const namesFlakyTests: Reporter = {
  onTestRunEnd(files) {
    const flaky = files
      .flatMap((file) => [...file.children.allTests()])
      .filter((test) => test.diagnostic()?.flaky === true);
    for (const test of flaky)
      process.stdout.write(`Passed only when repeated: ${test.module.relativeModuleId} > ${test.fullName}\n`);
  },
};

const tiers = testFiles();
const inTests = (file: string) => join(import.meta.dirname, 'test', file);

/** Node strips the types by itself, which takes less time than Vite takes to transform each module. */
const loadedByNode = { viteModuleRunner: false, nodeLoader: false };

/** Workers load thousands of modules and create much that is short-lived. With the usual limit, an eighth of their time is for garbage. */
const youngSpace = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Terraform and the compiler are written in Go and end soon: they need not collect garbage until they are large. */
const withoutGarbageCollection = { GOGC: 'off', GOMEMLIMIT: '2GiB' };

/** What the projects have in common whose tests start systems. */
const systems = {
  extends: true as const,
  test: {
    globalSetup: [inTests('given/prepare-databases.ts'), inTests('given/prepare-program.ts')],
    execArgv: [
      ...youngSpace,
      '--import',
      inTests('given/keep-compiled.ts'),
      '--import',
      inTests('given/built-sandbox.ts'),
    ],
    env: withoutGarbageCollection,
    // Many tests wait for processes and clocks, so there are two workers more than cores.
    maxWorkers: availableParallelism() + 2,
    sequence: { groupOrder: 1 },
  },
};

export default defineConfig({
  test: {
    globalSetup: [inTests('given/temporary-folder.ts'), inTests('given/generate-sources.ts')],
    // Real processes start slowly on a busy machine; virtual time keeps all else short.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    sequence: { sequencer: LongestFirst },
    reporters: ['default', namesFlakyTests],
    coverage: { provider: 'v8', include: ['src/**/*.ts'], reportsDirectory: 'coverage' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [...tiers.unit],
          execArgv: [...youngSpace, '--import', inTests('tiers/refuse-systems.ts')],
          experimental: loadedByNode,
          // Loading the modules again for each file takes longer than most tests.
          isolate: false,
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        ...systems,
        test: {
          ...systems.test,
          name: 'system',
          include: [...tiers.system],
          experimental: loadedByNode,
          isolate: false,
        },
      },
      {
        ...systems,
        test: {
          ...systems.test,
          name: 'isolated',
          include: [...tiers.isolated],
          // Only here may a test replace a module with vi.mock, which Node's loader does not do by itself.
          experimental: { ...loadedByNode, nodeLoader: true },
        },
      },
    ],
  },
});
