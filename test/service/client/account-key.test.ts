import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyOf, readKeyFile } from '../../../src/service/client/account-key.ts';
import { newFolder } from '../../given/folder.ts';

const folder = newFolder();

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
}

describe('a key file', () => {
  it.each([
    ['without a line end', 'secret'],
    ['with a line end', 'secret\n'],
    ['with line ends of Windows', 'secret\r\n\r\n'],
  ])('is one line, %s', (_case, text) => {
    const read = readKeyFile(file('key', text), 'key');
    expect(read).toMatchObject({ ok: true, value: { key: 'secret', isShared: false } });
  });

  it('may be a link, as secrets of a cluster are mounted', () => {
    file('real', 'secret\n');
    symlinkSync('real', join(folder, 'link'));
    expect(readKeyFile(join(folder, 'link'), 'link')).toMatchObject({ ok: true });
  });

  it.skipIf(!existsSync('/dev/shm'))('may be in memory, in /dev/shm', () => {
    const memory = mkdtempSync('/dev/shm/rampart-key-');
    writeFileSync(join(memory, 'key'), 'secret');
    expect(readKeyFile(join(memory, 'key'), 'key')).toMatchObject({ ok: true, value: { key: 'secret' } });
    rmSync(memory, { recursive: true });
  });

  it('may have 4,096 bytes', () =>
    expect(readKeyFile(file('long', 'k'.repeat(4096)), 'long')).toMatchObject({ ok: true }));

  const pipe = join(folder, 'pipe');
  execFileSync('/usr/bin/mkfifo', [pipe]);
  symlinkSync('/proc/self/environ', join(folder, 'environ'));
  it.each([
    ['the environment of this process', '/proc/self/environ', 'in /proc'],
    ['a link to it', join(folder, 'environ'), 'in /proc'],
    ['an open file of this process', '/dev/fd/0', 'in /proc, /sys or /dev|regular file'],
    ['a device', '/dev/zero', 'in /proc'],
    ['a pipe, which is not waited for', pipe, 'not a regular file'],
    ['a folder', folder, 'not a regular file'],
    ['no file', join(folder, 'nowhere'), 'does not exist'],
    ['more than 4,096 bytes', file('huge', 'k'.repeat(4097)), 'larger than 4096 bytes'],
    ['two lines', file('lines', 'hidden-word\nhidden-word\n'), 'more than one line'],
    ['a NUL character', file('nul', 'hidden-word\0hidden-word'), 'NUL'],
    ['bytes that are not text', file('bytes', Buffer.from([0xff, 0xfe, 0x41])), 'not text'],
  ])('is not %s', (_case, path, why) => {
    const read = readKeyFile(path, 'the-path-as-written');
    expect(read.ok).toBe(false);
    const told = JSON.stringify(read.problems);
    expect(told).toMatch(new RegExp(why));
    expect(told).toContain('the-path-as-written');
    expect(told).not.toContain('hidden-word');
  });
});

describe('can be 4,096 bytes long', () => {
  it('loses its final line breaks, and nothing else', () =>
    expect(keyOf(' a key \r\n', 'x')).toMatchObject({ value: ' a key ' }));

  it('is not reported if there is none', () =>
    expect(JSON.stringify(keyOf('hidden\nword', 'RAMPART_PSK'))).not.toContain('hidden'));
});
