import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { passesFence } from '../../../../src/run/state/files/lock-folder.ts';
import { newFolder } from '../../../given/folder.ts';

describe('the fence of a lock', () => {
  it('is passed by its holder, and never by guessing what a file contains that can not be read', async () => {
    const folder = newFolder();
    const lock = { folder, epoch: 7, text: 'mine' };
    await writeFile(join(folder, '7.json'), 'mine');
    expect(passesFence(lock)).toBe(true);
    for (const unreadable of ['8.json', '7.free']) {
      await mkdir(join(folder, unreadable));
      expect(() => passesFence(lock), unreadable).toThrow('EISDIR');
      await rmdir(join(folder, unreadable));
    }
    await writeFile(join(folder, '8.json'), 'theirs');
    expect(passesFence(lock)).toBe(false);
  });
});
