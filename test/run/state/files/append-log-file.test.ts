import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAppendLog } from '../../../../src/run/state/files/append-log.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { traced } from '../../../given/traced-files.ts';

let root: string;
beforeEach(() => {
  root = givenFolder();
});

const synced = async (file: string) => {
  const { operations, result } = await traced(() => createAppendLog(join(root, 'a', 'b', file)));
  if (result.status === 'fulfilled') await result.value.close();
  return operations.filter((each) => each.startsWith('sync') || each.endsWith('not awaited'));
};

describe('the file of a log', () => {
  it('is on disk together with all folders that were created for it', async () => {
    expect(await synced('c')).toEqual(['sync b', 'sync a', `sync ${basename(root)}`]);
    expect(await synced('d')).toEqual(['sync b']);
  });

  it('is in folders that only their owner can read', async () => {
    await synced('c');
    for (const folder of [join(root, 'a'), join(root, 'a', 'b')])
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, 'a', 'b', 'c'))).mode & 0o777).toBe(0o600);
  });
});
