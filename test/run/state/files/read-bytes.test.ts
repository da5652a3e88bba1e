import { constants } from 'node:buffer';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBytes } from '../../../../src/run/state/files/read-bytes.ts';
import { givenFolder } from '../../../given/given-folder.ts';

it('refuses a file that is longer than any text, and names it', async () => {
  const folder = givenFolder();
  const path = join(folder, 'plan.json');
  // A file without blocks: only its length is large.
  const file = await open(path, 'w');
  await file.truncate(constants.MAX_STRING_LENGTH + 1);
  await file.close();
  expect((await readBytes(path, 'plan.json')).problems).toMatchObject([
    { code: 'file-unreadable', message: expect.stringContaining('plan.json') },
  ]);
});
