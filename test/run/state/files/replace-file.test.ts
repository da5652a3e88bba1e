import { execFileSync } from 'node:child_process';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { replaceFile } from '../../../../src/run/state/files/replace-file.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { fileError, traced } from '../../../given/traced-files.ts';

let folder: string;
beforeEach(() => {
  folder = givenFolder();
});

describe('replacing a file', () => {
  it('puts the whole text in place of the old one, and leaves nothing else behind', async () => {
    await writeFile(join(folder, 'file'), 'a much longer text than the new one');
    await replaceFile(join(folder, 'file'), ['new', ' text']);
    expect(await readFile(join(folder, 'file'), 'utf8')).toBe('new text');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('that fails rejects, keeps what was there, and leaves no draft behind', async () => {
    await mkdir(join(folder, 'taken', 'inside'), { recursive: true });
    await expect(replaceFile(join(folder, 'taken'), 'text')).rejects.toThrow('EISDIR');
    expect(await readdir(folder)).toEqual(['taken']);
    expect(await readdir(join(folder, 'taken'))).toEqual(['inside']);
  });

  it('leaves a pipe alone, and replaces a symbolic link without following it', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expect(replaceFile(join(folder, 'pipe'), 'text')).rejects.toThrow('not a regular file');
    expect((await lstat(join(folder, 'pipe'))).isFIFO()).toBe(true);
    await writeFile(join(folder, 'elsewhere'), 'kept');
    await symlink(join(folder, 'elsewhere'), join(folder, 'link'));
    await replaceFile(join(folder, 'link'), 'text');
    expect(await readFile(join(folder, 'elsewhere'), 'utf8')).toBe('kept');
    expect(await readdir(folder)).toEqual(['elsewhere', 'link', 'pipe']);
  });

  it('waits for each step, and rejects with the first error', async () => {
    const run = (failing: string) =>
      traced(
        () => replaceFile(join(folder, 'file'), 'text'),
        (operation) => {
          if (operation === failing) throw fileError('EIO');
          if (operation === 'rm' && failing === 'writeFile') throw fileError('ENOENT');
        },
      );
    const { operations } = await run('nothing');
    expect(operations).toEqual(['writeFile file.draft', 'rename file.draft']);
    const failed = await run('rename');
    expect(failed.operations).toEqual(['writeFile file.draft', 'rename file.draft', 'rm file.draft']);
    for (const { result } of [failed, await run('writeFile')])
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'EIO' } });
  });

  it('in a folder that does not exist rejects with the first error', async () => {
    await expect(replaceFile(join(folder, 'nowhere', 'file'), 'text')).rejects.toThrow('ENOENT');
  });
});
