import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { listFolder, writeFolder } from '../../../src/control/sources/copy-folder.ts';
import { openSources } from '../../../src/control/sources/open-sources.ts';
import { openSnapshots, writeSnapshotFile } from '../../../src/control/sources/snapshot.ts';
import { type SourceLimits, usualLimits } from '../../../src/control/sources/source-limits.ts';
import { ok } from '../../../src/core/problem/result.ts';

const fleet = 'version: 1\nhosts: []\n';
const folders: string[] = [];
afterEach(() => {
  for (const each of folders.splice(0)) rmSync(each, { recursive: true, force: true });
});

function givenFolder(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-folder-'));
  folders.push(folder);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const data = join(folder, 'data');
  const open = (limits?: Partial<SourceLimits>) =>
    openSources(
      [
        {
          kind: 'folder',
          name: 'files',
          folder,
          allowsScripts: false,
          place: { file: 'rampart.config.yaml', line: 1, col: 1, text: '', width: 1 },
        },
      ],
      { data, folder, env: {}, hide: () => {}, allow: [], ...(limits === undefined ? {} : { limits }) },
    );
  const look = async (limits?: Partial<SourceLimits>) => {
    const read = await open(limits).refresh('files');
    return read.ok ? [] : read.problems.map(({ code, message }) => `${code}: ${message}`);
  };
  return { folder, write, open, look, data };
}

describe('a folder as a source', () => {
  it('is copied under the digest of its content, without configuration, keys and hidden files', async () => {
    const { open, data } = givenFolder({
      'fleet.yaml': fleet,
      'berlin/hosts.csv': 'id,name\n',
      'rampart.config.yaml': 'accounts: []\n',
      'keys/berlin.psk': 'secret',
      '.env': 'secret',
      'node_modules/x/index.js': 'x',
    });
    const sources = open();
    const first = await sources.refresh('files');
    expect(first).toMatchObject({
      ok: true,
      value: { commit: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), author: null, subject: null },
    });
    if (!first.ok) return;
    expect(readdirSync(first.value.folder).sort()).toEqual(['.git', '.origin.json', 'berlin', 'fleet.yaml']);
    expect(readdirSync(join(data, 'sources', 'files'))).toEqual([first.value.commit.replace(':', '-')]);
    expect(await sources.at('files', first.value.commit)).toEqual(first);
  });
  it('gets another digest with each change of a name or of a content, and the same one for the same files', async () => {
    const { open, write, folder } = givenFolder({ 'fleet.yaml': fleet, 'a.yaml': 'ab', 'b.yaml': 'c' });
    const commitOf = async () => {
      const read = await open().refresh('files');
      return read.ok ? read.value.commit : read.problems;
    };
    const first = await commitOf();
    utimesSync(join(folder, 'a.yaml'), 1, 1);
    expect(await commitOf()).toBe(first);
    write('a.yaml', 'a');
    write('b.yaml', 'bc');
    const second = await commitOf();
    expect(second).not.toBe(first);
    rmSync(join(folder, 'b.yaml'));
    write('c.yaml', 'bc');
    expect(await commitOf()).not.toBe(second);
  });
  it('is not copied again while its files are the same, and is copied after a change', async () => {
    const { open, write, folder } = givenFolder({ 'fleet.yaml': fleet });
    const sources = open();
    const first = await sources.refresh('files');
    expect(await sources.refresh('files')).toEqual(first);
    write('fleet.yaml', `${fleet}# changed\n`);
    const second = await sources.refresh('files');
    expect(second).not.toEqual(first);
    if (first.ok) expect(readFileSync(join(first.value.folder, 'fleet.yaml'), 'utf8')).toBe(fleet);
    rmSync(join(folder, 'fleet.yaml'));
    if (first.ok) {
      expect(await sources.at('files', first.value.commit)).toMatchObject({ ok: true });
      rmSync(first.value.folder, { recursive: true });
      expect(await sources.at('files', first.value.commit)).toMatchObject({
        ok: false,
        problems: [{ code: 'stale-plan' }],
      });
    }
  });
  it('follows a link to a file of the same folder, as a mounted ConfigMap has them', async () => {
    const { open, folder } = givenFolder({ '..data/fleet.yaml': fleet });
    symlinkSync('..data/fleet.yaml', join(folder, 'fleet.yaml'));
    const read = await open().refresh('files');
    expect(read.ok && readFileSync(join(read.value.folder, 'fleet.yaml'), 'utf8')).toBe(fleet);
  });
  for (const [what, target] of [
    ['out of the folder', '/etc/passwd'],
    ['to a folder', 'berlin'],
    ['to nothing', 'gone.yaml'],
  ] as const) {
    it(`refuses a link ${what}`, async () => {
      const { look, folder } = givenFolder({ 'berlin/fleet.yaml': fleet });
      symlinkSync(target, join(folder, 'link.yaml'));
      expect(await look()).toEqual([
        'file-unreadable: the source "files" has a link that leads out of its folder: "link.yaml"',
      ]);
    });
  }
  it('refuses odd names, too many files and too large files', async () => {
    const odd = givenFolder({ 'a\nb.yaml': 'x' });
    expect(await odd.look()).toEqual([expect.stringContaining('has a file with an unsupported name')]);
    const { look } = givenFolder({ 'a.yaml': 'a: 1', 'b.yaml': 'b' });
    expect(await look({ files: 1 })).toEqual(['too-large: the source "files" has more than 1 files']);
    expect(await look({ fileBytes: 3 })).toEqual([
      'too-large: the source "files" has a file of more than 3 bytes: "a.yaml"',
    ]);
    expect(await look({ totalBytes: 4 })).toEqual([
      'too-large: the source "files" has more than 4 bytes of files',
    ]);
    expect(await look({ files: 2, fileBytes: 4, totalBytes: 5 })).toEqual([]);
  });
  it('names a folder that does not exist, and a source that nobody configured', async () => {
    const { look, folder, open } = givenFolder({});
    rmSync(folder, { recursive: true });
    expect(await look()).toEqual([
      expect.stringContaining('the folder of the source "files" does not exist'),
    ]);
    expect(await open().refresh('other')).toMatchObject({
      ok: false,
      problems: [{ code: 'configuration', hint: 'the sources are files' }],
    });
    expect(open().current('other')).toBeUndefined();
    expect(open().prune('other', [])).toEqual([]);
  });
  it('is refused if it changes during the copy', () => {
    const { folder, write } = givenFolder({ 'fleet.yaml': fleet });
    const source = { name: 'files', folder, without: [], limits: usualLimits };
    const listed = listFolder(source);
    if (!listed.ok) throw new Error('the folder must be readable');
    write('later.yaml', 'x');
    const target = mkdtempSync(join(tmpdir(), 'rampart-copy-'));
    folders.push(target);
    expect(writeFolder(source, listed.value, target)).toMatchObject({
      ok: false,
      problems: [{ code: 'changed-since' }],
    });
    write('fleet.yaml', `${fleet}longer`);
    const other = mkdtempSync(join(tmpdir(), 'rampart-copy-'));
    folders.push(other);
    expect(writeFolder(source, listed.value, other)).toMatchObject({
      ok: false,
      problems: [{ code: 'changed-since' }],
    });
  });
});

describe('the snapshots of a source', () => {
  it('exist only once they are whole', async () => {
    const { folder } = givenFolder({});
    const snapshots = openSnapshots('s', join(folder, 's'));
    const origin = { commit: 'abc', author: null, subject: null };
    await expect(
      snapshots.create(async (at) => {
        writeSnapshotFile(at, 'a/b.yaml', Buffer.from('x'));
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      }),
    ).resolves.toMatchObject({
      ok: false,
      problems: [{ code: 'file-not-written', message: 'the source "s" can\'t be stored (ENOSPC)' }],
    });
    expect(snapshots.find('abc')).toBeUndefined();
    expect(readdirSync(join(folder, 's'))).toEqual([]);
    expect(await snapshots.create(async () => ok(origin))).toMatchObject({ ok: true });
    expect(snapshots.find('abc')).toMatchObject({ ...origin, source: 's' });
    const record = join(folder, 's', 'abc', '.origin.json');
    chmodSync(record, 0o600);
    writeFileSync(record, '{');
    expect(snapshots.find('abc')).toBeUndefined();
  });
  it('never write one file over another', () => {
    const { folder } = givenFolder({});
    writeSnapshotFile(folder, 'a.yaml', Buffer.from('x'));
    expect(() => writeSnapshotFile(folder, 'a.yaml', Buffer.from('y'))).toThrow('EEXIST');
  });
  it('lose what a dead process left after an hour', async () => {
    const { folder } = givenFolder({ 's/new-old/a.yaml': 'x', 's/new-young/a.yaml': 'x' });
    utimesSync(join(folder, 's', 'new-old'), 1, 1);
    await openSnapshots('s', join(folder, 's')).create(async () =>
      ok({ commit: 'abc', author: null, subject: null }),
    );
    expect(readdirSync(join(folder, 's')).sort()).toEqual(['abc', 'new-young']);
  });
});
