import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../../src/core/lib/error-code.ts';
import { createExclusively, readIfThere } from '../../../../src/run/state/files/lock-file.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { type Before, fileError, traced } from '../../../given/traced-files.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = givenFolder();
  path = join(folder, 'lock');
});

const failingLink =
  (code: string, more: Before = () => undefined): Before =>
  (operation, file) => {
    if (operation === 'link') throw fileError(code);
    return more(operation, file);
  };
const value = <T>(result: PromiseSettledResult<T>) =>
  result.status === 'fulfilled' ? result.value : undefined;
const rejection = (result: PromiseSettledResult<unknown>) =>
  result.status === 'rejected' ? codeOf(result.reason) : undefined;

describe('creating a lock file', () => {
  it('publishes a whole file only after it is on disk, and waits for each step', async () => {
    const { operations, result } = await traced(() => createExclusively(path, 'text'));
    expect(operations).toEqual([
      'open lock.draft',
      'writeFile lock.draft',
      'sync lock.draft',
      'close lock.draft',
      'link lock.draft',
      'rm lock.draft',
    ]);
    expect(value(result)).toBe('created');
    expect(await readFile(path, 'utf8')).toBe('text');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('leaves an existing file unchanged', async () => {
    await createExclusively(path, 'first');
    expect(await createExclusively(path, 'second')).toBe('exists');
    expect(await readFile(path, 'utf8')).toBe('first');
    expect(await readdir(folder)).toEqual(['lock']);
  });

  it('closes a draft that could not be written, and rejects with the cause', async () => {
    const { operations, result } = await traced(
      () => createExclusively(path, 'text'),
      (operation) => {
        if (operation === 'sync') throw fileError('EIO');
      },
    );
    expect(rejection(result)).toBe('EIO');
    expect(operations.slice(-2)).toEqual(['close lock.draft', 'rm lock.draft']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects with the cause if not even a draft can be opened', async () => {
    const { result } = await traced(
      () => createExclusively(path, 'text'),
      (operation) => {
        if (operation === 'open') throw fileError('EMFILE');
      },
    );
    expect(rejection(result)).toBe('EMFILE');
  });

  it('does not write in place if the link failed for any reason other than a lack of links', async () => {
    const { result } = await traced(() => createExclusively(path, 'text'), failingLink('EIO'));
    expect(rejection(result)).toBe('EIO');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])(
  'on a file system without links (%s)',
  (code) => {
    it('a lock file is written in place', async () => {
      const { operations, result } = await traced(() => createExclusively(path, 'text'), failingLink(code));
      expect(value(result)).toBe('created');
      expect(operations.slice(4)).toEqual([
        'link lock.draft',
        'open lock',
        'writeFile lock',
        'sync lock',
        'close lock',
        'rm lock.draft',
      ]);
      expect(await readFile(path, 'utf8')).toBe('text');
      expect(await readdir(folder)).toEqual(['lock']);
    });
  },
);

describe('on a file system without links', () => {
  it('an existing lock file is left unchanged', async () => {
    await writeFile(path, 'first');
    const { result } = await traced(() => createExclusively(path, 'second'), failingLink('EPERM'));
    expect(value(result)).toBe('exists');
    expect(await readFile(path, 'utf8')).toBe('first');
  });

  it('a lock file that was half written is removed again', async () => {
    const { operations, result } = await traced(
      () => createExclusively(path, 'text'),
      failingLink('EPERM', (operation, file) => {
        if (operation === 'sync' && file === 'lock') throw fileError('ENOSPC');
      }),
    );
    expect(rejection(result)).toBe('ENOSPC');
    expect(operations.slice(-3)).toEqual(['close lock', 'rm lock', 'rm lock.draft']);
    expect(await readdir(folder)).toEqual([]);
  });

  it("the cause is reported if the lock file can't be opened", async () => {
    const { result } = await traced(
      () => createExclusively(path, 'text'),
      failingLink('EPERM', (operation, file) => {
        if (operation === 'open' && file === 'lock') throw fileError('EROFS');
      }),
    );
    expect(rejection(result)).toBe('EROFS');
  });
});

describe('reading a lock file', () => {
  it("returns nothing if there is none, and rejects if it can't be read", async () => {
    expect(await readIfThere(path)).toBeUndefined();
    await expect(readIfThere(folder)).rejects.toThrow('EISDIR');
  });
});

describe('the code of an error', () => {
  it("is the system's code, or the text of anything else", () => {
    expect(codeOf(fileError('EIO'))).toBe('EIO');
    expect(codeOf(new Error('text'))).toBe('Error: text');
    expect(codeOf('text')).toBe('text');
    expect(codeOf({ code: 'EIO' })).toBe('[object Object]');
  });
});
