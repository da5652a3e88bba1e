import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the tests of a run, and the programs that they start, put into the folder for temporary files ends with the run. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-tests-'));
  // Some programs run as other users.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
