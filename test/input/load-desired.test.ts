import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Desired } from '../../src/core/model/desired.ts';
import { loadDesired } from '../../src/input/load-desired.ts';
import { newFolder, putFiles } from '../given/folder.ts';

let cwd: string;

beforeEach(() => {
  cwd = newFolder();
});

const put = (files: Parameters<typeof putFiles>[1]) => putFiles(cwd, files);

async function load(...paths: readonly string[]): Promise<Desired> {
  const result = await loadDesired(paths, { cwd });
  if (!result.ok) throw new Error(result.problems.map((each) => each.message).join('\n'));
  return result.value;
}

async function problems(...paths: readonly string[]) {
  const result = await loadDesired(paths, { cwd });
  expect(result.ok).toBe(false);
  return result.problems;
}

const ids = (state: Desired) => Array.from({ length: state.count }, (_, index) => state.at(index).id);
const rule = (name: string) => `rules: [{ name: ${name}, when: host.online, group: G }]\n`;

describe('files of several kinds are one desired state', () => {
  const files = {
    'fleet/b.yaml': `version: 1\nhosts: [{ id: 2 }]\n${rule('b')}`,
    'fleet/a.fleet.ts':
      'import { ids } from "./ids.ts"; export default { hosts: ids.map((id) => ({ id })), rules: [{ name: "a", when: "host.online", group: "G" }] };',
    'fleet/ids.ts': 'export const ids = [1];',
    'fleet/c/c.yaml': `version: 1\nhostsFrom: ../../sheets/c.csv\n${rule('c')}`,
    'sheets/c.csv': 'id\n3\n4\n',
    'last.yaml': `version: 1\nhosts: [{ id: 5 }]\n${rule('last')}`,
  };

  test('in the order in which they are listed, and a folder in the order of its paths', async () => {
    await put(files);
    const state = await load('fleet', 'last.yaml');
    expect(ids(state)).toEqual(['1', '2', '3', '4', '5']);
    expect(state.rules.map(({ index, name }) => `${index} ${name}`)).toEqual(['0 a', '1 b', '2 c', '3 last']);
    expect(state.files).toEqual(
      'fleet/a.fleet.ts fleet/b.yaml fleet/c/c.yaml sheets/c.csv last.yaml'.split(' '),
    );
    expect((await load('last.yaml', 'fleet')).rules.map(({ name }) => name)).toEqual(['last', 'a', 'b', 'c']);
  });

  test('and a host that two of them claim is one problem with both places', async () => {
    await put({ ...files, 'last.yaml': 'version: 1\nhosts: [{ id: 3 }, { id: 1 }]\n' });
    expect(await problems('fleet', 'last.yaml')).toMatchObject([
      {
        code: 'duplicate-host',
        place: { file: 'last.yaml', line: 2 },
        related: [{ file: 'sheets/c.csv', part: 'row 2, column "id"' }],
      },
      {
        code: 'duplicate-host',
        place: { file: 'last.yaml', line: 2 },
        related: [{ file: 'fleet/a.fleet.ts', part: 'hosts[0].id' }],
      },
    ]);
  });

  test('and a key that may appear once is refused the second time, whatever the kind of file', async () => {
    await put({
      'a.yaml': 'version: 1\naccount: { companyId: 1 }\nhosts: []\npolicy: { limits: { delete: 1 } }\n',
      'b.ts': 'export default { account: { companyId: 2 }, policy: { limits: { delete: "5%" } } };',
    });
    expect(await problems('a.yaml', 'b.ts')).toMatchObject([
      { code: 'account-mismatch', place: { file: 'b.ts', part: 'account.companyId' } },
      { code: 'duplicate-key', place: { file: 'b.ts' }, related: [{ file: 'a.yaml', line: 4 }] },
    ]);
  });

  test('and one file needs no list', async () => {
    await put({ 'one.yaml': 'version: 1\nhosts: [{ id: 1 }]\n' });
    expect((await loadDesired('one.yaml', { cwd })).ok).toBe(true);
  });

  test('and without names, fleet.ts is found', async () => {
    await put({ 'fleet.ts': 'export default { hosts: [{ id: 1 }] };' });
    expect((await load()).files).toEqual(['fleet.ts']);
  });
});

const outside = (path: string) => `${path} is not a file of this project or is outside it`;

describe('a table', () => {
  test.each([
    ['beside the file', 'in/fleet.yaml', 'hosts.csv', 'in/hosts.csv'],
    ['above it', 'in/deep/fleet.yaml', '../hosts.csv', 'in/hosts.csv'],
    ['by way of another folder', 'fleet.yaml', '../here/hosts.csv', '../here/hosts.csv'],
  ])('is searched for %s', async (_, yaml, named, shown) => {
    cwd = join(cwd, 'here');
    await put({ [yaml]: `version: 1\nhostsFrom: ${named}\n`, [shown]: 'id\n17\n' });
    const state = await load(yaml);
    expect(state.files).toEqual([yaml, shown]);
  });

  test('can have an absolute path', async () => {
    await put({ 'x.csv': 'id\n17\n', 'fleet.yaml': `version: 1\nhostsFrom: ${join(cwd, 'x.csv')}\n` });
    expect((await load('fleet.yaml')).files).toEqual(['fleet.yaml', join(cwd, 'x.csv')]);
  });

  test.each([
    ['is missing', 'none.csv', 'file-missing', 'the file or folder none.csv does not exist'],
    ['is a folder', '.', 'file-unreadable', '. is not a regular file'],
    ['is outside the project', '/etc/passwd', 'file-unreadable', outside('/etc/passwd')],
    ['is beside the project', '../../x/hosts.csv', 'file-unreadable', outside('../../x/hosts.csv')],
    ['is a device', '/dev/zero', 'file-unreadable', outside('/dev/zero')],
    ['is the configuration of Git', '.git/config', 'file-unreadable', outside('.git/config')],
    ['has a leading dot', './.env', 'file-unreadable', outside('./.env')],
    ['is too large', 'large.csv', 'file-unreadable', 'large.csv is larger than 256 MiB'],
  ])('that %s is a problem at the place that refers to it', async (_, named, code, message) => {
    await put({ 'fleet.yaml': `version: 1\nhostsFrom: [${named}]\n`, 'large.csv': '' });
    await truncate(join(cwd, 'large.csv'), 300 * 1024 * 1024);
    expect(await problems('fleet.yaml')).toMatchObject([
      { code, message, place: { file: 'fleet.yaml', line: 2, col: 13 } },
    ]);
  });

  test.each(['/etc/passwd', '../beside.csv', '.git/config', '/proc/self/environ', 'pipe.fifo', '/dev/zero'])(
    'that is a link to %s is refused, and its content is not quoted',
    async (target) => {
      cwd = join(cwd, 'here');
      await put({
        'fleet.yaml': 'version: 1\nhostsFrom: hosts.csv\n',
        '.git/config': 'canary',
        '../beside.csv': 'canary',
      });
      execFileSync('/usr/bin/mkfifo', [join(cwd, 'pipe.fifo')]);
      await symlink(target, join(cwd, 'hosts.csv'));
      const { ok, problems } = await loadDesired(['fleet.yaml'], { cwd });
      expect(ok).toBe(false);
      expect(problems).toMatchObject([{ code: 'file-unreadable', place: { file: 'fleet.yaml', line: 2 } }]);
      expect(JSON.stringify(problems)).not.toMatch(/canary|root:/);
    },
  );

  test('that is repeatedly replaced by a link out of the project is never read from there', async () => {
    await put({ 'fleet.yaml': 'version: 1\nhostsFrom: in/hosts.csv\n', 'real/hosts.csv': 'id\n17\n' });
    const outer = newFolder();
    await writeFile(join(outer, 'hosts.csv'), 'id\n666\n');
    const swap = spawn(
      process.execPath,
      [
        '-e',
        `const { symlinkSync, renameSync } = require('fs');
        for (let n = 0; ; n += 1) {
          symlinkSync(n % 2 === 0 ? 'real' : ${JSON.stringify(outer)}, 'next');
          renameSync('next', 'in');
          if (n === 1) process.stdout.write('ready');
        }`,
      ],
      { cwd, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(swap.stdout, 'data');
    const seen = new Set<string>();
    for (let n = 0; n < 300; n += 1) {
      const state = await loadDesired(['fleet.yaml'], { cwd });
      seen.add(state.ok ? String(state.value.at(0).id) : 'refused');
    }
    swap.kill('SIGKILL');
    await once(swap, 'close');
    await rm(outer, { recursive: true });
    expect(seen).toContain('refused');
    expect(seen).not.toContain('666');
  });
});
