import { constants } from 'node:buffer';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readBytes } from '../../../../src/run/state/files/read-bytes.ts';

it('refuses a file that is longer than any text, and names it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rampart-bytes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'plan.json');
  // A file without blocks: only its length is large.
  const file = await open(path, 'w');
  await file.truncate(constants.MAX_STRING_LENGTH + 1);
  await file.close();
  expect((await readBytes(path, 'plan.json')).problems).toMatchObject([
    { code: 'file-unreadable', message: expect.stringContaining('plan.json') },
  ]);
});
