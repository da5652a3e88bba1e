import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the tests of a run, and the programs that they start, put into the folder for temporary files ends with the run. */
export function setup(): () => void {
  const folder = mkdtempSync(join(memoryOrDisk(), 'rampart-tests-'));
  // Some programs run as other users.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Creating and syncing many small files on a disk takes longer than most tests. */
function memoryOrDisk(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir();
}
