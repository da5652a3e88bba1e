import { execFileSync } from 'node:child_process';
import { chmod, rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadSources } from '../../src/input/sources/find-files.ts';
import { newFolder, putFiles } from '../given/folder.ts';

let cwd: string;

beforeEach(() => {
  cwd = newFolder();
});

const put = (...paths: readonly string[]) =>
  putFiles(cwd, Object.fromEntries(paths.map((path) => [path, `# ${path}`])));

async function found(...paths: readonly string[]): Promise<readonly string[]> {
  const result = await loadSources(paths, cwd);
  if (!result.ok) throw new Error(result.problems.map((each) => each.message).join('\n'));
  return result.value.map((source) => source.file);
}

async function problems(...paths: readonly string[]): Promise<readonly string[]> {
  const result = await loadSources(paths, cwd);
  expect(result.ok).toBe(false);
  return result.problems.map((each) => `${each.code}: ${each.message}`);
}

describe('files that are named', () => {
  test('are read as bytes, in the order in which they are named', async () => {
    await put('b.yaml', 'sub/a.txt');
    expect(await loadSources(['b.yaml', join(cwd, 'sub/a.txt')], cwd)).toMatchObject({
      ok: true,
      value: [
        { file: 'b.yaml', text: Buffer.from('# b.yaml') },
        { file: join(cwd, 'sub/a.txt'), text: Buffer.from('# sub/a.txt') },
      ],
    });
  });

  test('are read once, however often they are listed', async () => {
    await put('fleet/a.yaml', 'fleet/b.yaml');
    await symlink(join(cwd, 'fleet/a.yaml'), join(cwd, 'fleet/link.yaml'));
    expect(await found('fleet/b.yaml', 'fleet', 'fleet', './fleet/b.yaml')).toEqual([
      'fleet/b.yaml',
      'fleet/a.yaml',
    ]);
  });

  test('are refused if they are pipes', async () => {
    execFileSync('/usr/bin/mkfifo', [join(cwd, 'pipe')]);
    expect(await problems('pipe')).toEqual(['file-unreadable: pipe is not a regular file']);
  });

  test('may be links to files of their project, and no others', async () => {
    await put('in/.git/config', 'in/fleet.yaml', 'in/.env', 'beside.yaml');
    await symlink('fleet.yaml', join(cwd, 'in/link.yaml'));
    expect(await found('in/link.yaml')).toEqual(['in/link.yaml']);
    for (const target of ['/etc/passwd', '../beside.yaml', '.git/config', '.env', '/proc/self/environ']) {
      await rm(join(cwd, 'in/link.yaml'));
      await symlink(target, join(cwd, 'in/link.yaml'));
      const refused = 'file-unreadable: in/link.yaml is not a file of this project or is outside it';
      expect(await problems('in/link.yaml')).toEqual([refused]);
      expect(await problems('in')).toEqual([refused]);
    }
  });

  test('may not be reached through a folder that leads out of their project', async () => {
    await put('in/package.json', 'outside/fleet.yaml');
    await symlink('../outside', join(cwd, 'in/fleet'));
    const refused = 'is not a file of this project or is outside it';
    expect(await problems('in')).toEqual([`file-unreadable: in/fleet ${refused}`]);
    expect(await problems('in/fleet/fleet.yaml')).toEqual([
      `file-unreadable: in/fleet/fleet.yaml ${refused}`,
    ]);
  });

  test('that do not exist are all reported', async () => {
    await put('file');
    expect(await problems('x.yaml', 'file/y.yaml', 'z/')).toEqual([
      'file-missing: the file or folder x.yaml does not exist',
      'file-missing: the file or folder file/y.yaml does not exist',
      'file-missing: the file or folder z/ does not exist',
    ]);
  });

  test('may be scripts', async () => {
    await put('x.ts', 'y.mjs');
    expect(await found('x.ts', 'y.mjs')).toEqual(['x.ts', 'y.mjs']);
  });

  test('are refused if they are tables, because a file must refer to them', async () => {
    await put('x.csv');
    expect(await problems('x.csv')).toEqual(['usage: x.csv is a table of hosts, not a desired state']);
  });

  test('that are devices are refused', async () => {
    expect(await problems('/dev/zero')).toEqual(['file-unreadable: /dev/zero is not a regular file']);
  });

  test('that link in a circle are refused', async () => {
    await symlink(join(cwd, 'b.yaml'), join(cwd, 'a.yaml'));
    await symlink(join(cwd, 'a.yaml'), join(cwd, 'b.yaml'));
    expect(await problems('a.yaml')).toEqual([
      "file-unreadable: a.yaml can't be read: its links form a cycle",
    ]);
  });

  test('that are larger than the bound are refused unread', async () => {
    await put('large.yaml');
    await truncate(join(cwd, 'large.yaml'), 300 * 1024 * 1024);
    expect(await problems('large.yaml')).toEqual(['file-unreadable: large.yaml is larger than 256 MiB']);
  });

  test.skipIf(process.getuid?.() === 0)("are reported if they can't be read", async () => {
    await put('secret.yaml');
    await chmod(join(cwd, 'secret.yaml'), 0);
    expect(await problems('secret.yaml')).toEqual([
      "file-unreadable: secret.yaml can't be read: no permission",
    ]);
  });
});

describe('a folder', () => {
  test('is searched for YAML in sorted order, without dot-files, packages and tests', async () => {
    await put('fleet/b.yaml', 'fleet/a/z.yml', 'fleet/a.yaml', 'fleet/.hidden.yaml', 'fleet/.git/x.yaml');
    await put('fleet/node_modules/a/fleet.yaml', 'fleet/a/node_modules/b.yaml');
    await put('fleet/x.rampart-test.yaml', 'fleet/notes.md', 'fleet/C.YAML');
    expect(await found('fleet')).toEqual(['fleet/C.YAML', 'fleet/a/z.yml', 'fleet/a.yaml', 'fleet/b.yaml']);
    expect(await found('fleet/')).toEqual(['fleet/C.YAML', 'fleet/a/z.yml', 'fleet/a.yaml', 'fleet/b.yaml']);
  });

  test('can contain scripts, which their names identify, next to modules that they import', async () => {
    await put('fleet/a.yaml', 'fleet/b.fleet.ts', 'fleet/c/fleet.mts', 'fleet/d.fleet.js', 'fleet/Fleet.cjs');
    await put(
      'fleet/sites.ts',
      'fleet/my-fleet.ts',
      'fleet/b.fleet.d.ts',
      'fleet/b.fleet.json',
      'fleet/hosts.csv',
    );
    expect(await found('fleet')).toEqual(
      'fleet/Fleet.cjs fleet/a.yaml fleet/b.fleet.ts fleet/c/fleet.mts fleet/d.fleet.js'.split(' '),
    );
  });

  test('may link to a folder above it', async () => {
    await put('fleet/sub/a.yaml');
    await symlink(join(cwd, 'fleet'), join(cwd, 'fleet/sub/up'));
    expect(await found('fleet')).toEqual(['fleet/sub/a.yaml']);
  });

  test('with nothing in it is a problem', async () => {
    await put('fleet/notes.md', 'fleet/.a.yaml');
    expect(await problems('fleet')).toEqual([
      'file-missing: the folder fleet contains no .yaml, .yml or .fleet.ts file',
    ]);
  });
});

describe('without a name', () => {
  test.each([
    ['fleet.yaml', ['fleet.yaml', 'other.yaml'], ['fleet.yaml']],
    ['fleet.ts', ['fleet.ts', 'sites.ts'], ['fleet.ts']],
    ['the folder fleet', ['fleet/a.yaml'], ['fleet/a.yaml']],
  ])('%s is found', async (_, files, expected) => {
    await put(...files);
    expect(await found()).toEqual(expected);
  });

  test.each([
    [
      'nothing here',
      ['other.yaml'],
      'file-missing: there is no fleet.yaml, no fleet.ts and no folder fleet/ here',
    ],
    [
      'a fleet.yaml and a folder fleet',
      ['fleet.yaml', 'fleet/a.yaml'],
      'usage: both fleet.yaml and fleet/ exist here',
    ],
    [
      'a fleet.yaml and a fleet.ts',
      ['fleet.yaml', 'fleet.ts'],
      'usage: both fleet.yaml and fleet.ts exist here',
    ],
    [
      'all three',
      ['fleet.yaml', 'fleet.ts', 'fleet/a.yaml'],
      'usage: fleet.yaml and fleet.ts and fleet/ exist here',
    ],
    [
      'a file that is called fleet',
      ['fleet'],
      'file-missing: there is no fleet.yaml, no fleet.ts and no folder fleet/ here',
    ],
  ])('%s is a problem', async (_, files, expected) => {
    await put(...files);
    expect(await problems()).toEqual([expected]);
  });
});
