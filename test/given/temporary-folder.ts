import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryVariable = 'RAMPART_TEST_MEMORY';

/** What the tests of a run, and the programs that they start, put into the folders for temporary files ends with the run. */
export function setup(): () => void {
  const folders = [tmpdir(), inMemory()].map((parent) => mkdtempSync(join(parent, 'rampart-tests-')));
  // Some programs run as other users.
  for (const folder of folders) chmodSync(folder, 0o711);
  const [onDisk, memory] = folders;
  process.env['TMPDIR'] = onDisk;
  process.env[memoryVariable] = memory;
  return () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

function inMemory(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir();
}

/**
 * A folder for the many small files of databases and browsers, in memory if there is enough. Creating them on a disk takes
 * longer than most tests. Rampart itself refuses files below `/dev`, where it is on Linux.
 */
export function memoryFolder(): string {
  return process.env[memoryVariable] ?? inMemory();
}
