import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import type { Task } from './records.ts';

const root = join(import.meta.dirname, '..', '..');

const taskFile = process.env['RAMPART_MUTANTS'] ?? '';
const { files } = JSON.parse(readFileSync(taskFile, 'utf8')) as Task;

class GivenOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => files.findIndex((file) => moduleId.endsWith(file));
    return specifications.toSorted((a, b) => place(a) - place(b));
  }
}

/** One worker, and every module loaded once: what makes a mutant cost no more than the tests that it is run with. */
export default defineConfig({
  root,
  test: {
    include: [...files],
    sequence: { sequencer: GivenOrder },
    testTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    watch: false,
    globalSetup: ['temporary-folder.ts', 'prepare-databases.ts'].map((each) =>
      join(root, 'test/given', each),
    ),
    setupFiles: [join(import.meta.dirname, 'setup.ts')],
    runner: join(import.meta.dirname, 'runner.ts'),
    reporters: ['dot'],
    silent: true,
  },
});
