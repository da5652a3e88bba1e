import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, which is removed together with all temporary files of the test run. */
export function givenFolder(): string {
  return mkdtempSync(join(tmpdir(), 'rampart-'));
}
