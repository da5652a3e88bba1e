import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../../src/run/state/files/replace-file.ts';
import { givenFolder } from '../../../given/given-folder.ts';

function given(): string {
  const folder = givenFolder();
  return folder;
}

describe('making a folder', () => {
  it('creates the missing folders above it, and returns the first of them', () => {
    const folder = given();
    expect(makeFolder(join(folder, 'a', 'b', 'c'), 0o700)).toBe(join(folder, 'a'));
    expect(statSync(join(folder, 'a', 'b', 'c')).mode & 0o777).toBe(0o700);
    expect(makeFolder(join(folder, 'a', 'd'))).toBe(join(folder, 'a', 'd'));
    expect(readdirSync(join(folder, 'a'))).toEqual(['b', 'd']);
  });

  it('leaves an existing folder alone', () => {
    const folder = given();
    expect(makeFolder(folder, 0o700)).toBeUndefined();
  });

  it('fails if a file is in the way', () => {
    const folder = given();
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(folder, 'file', 'below', 'it'))).toThrow('ENOTDIR');
  });

  it.runIf(process.platform === 'linux')('fails below /proc, where no folder can be created', () => {
    expect(() => makeFolder('/proc/rampart/state', 0o700)).toThrow('ENOENT');
  });
});
