import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, which ends with the run of the tests. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'rampart-'));
