import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/core/lib/surroundings.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { listFolder, writeFolder } from '../../../src/server/sources/rules/copy-folder.ts';
import { openServerSources } from '../../../src/server/sources/rules/open-sources.ts';
import {
  openSnapshots,
  touchSnapshot,
  writeSnapshotFile,
} from '../../../src/server/sources/rules/snapshot.ts';
import { type SourceLimits, usualLimits } from '../../../src/server/sources/rules/source-limits.ts';

const fleet = 'version: 1\nhosts: []\n';
const folders: string[] = [];
afterEach(() => {
  for (const each of folders.splice(0)) rmSync(each, { recursive: true, force: true });
});

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-folder-'));
  folders.push(folder);
  return folder;
}

/** The files that a folder has now, and a copy of them to another folder. */
function listed(folder: string) {
  const source = { name: 'files', folder, without: [], limits: usualLimits };
  const found = listFolder(source);
  if (!found.ok) throw new Error('the folder must be readable');
  const { value } = found;
  return { files: value.files, copy: (target = emptyFolder()) => writeFolder(source, value, target) };
}

function givenFolder(files: Readonly<Record<string, string>>) {
  const folder = emptyFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const data = join(folder, 'data');
  const open = (limits?: Partial<SourceLimits>, clock?: Clock) =>
    openServerSources(
      [
        {
          kind: 'folder',
          name: 'files',
          folder,
          allowsScripts: false,
          place: { file: 'rampart.config.yaml', line: 1, col: 1, text: '', width: 1 },
        },
      ],
      {
        data,
        folder,
        env: {},
        hide: () => {},
        allow: [],
        ...(limits === undefined ? {} : { limits }),
        ...(clock === undefined ? {} : { clock }),
      },
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
      value: { commit: expect.stringMatching(/^sha256:[0-9a-f]{64}$/), author: null },
    });
    if (!first.ok) return;
    expect(readdirSync(first.value.folder).sort()).toEqual(['.git', '.origin.json', 'berlin', 'fleet.yaml']);
    expect(readdirSync(join(data, 'sources', 'files'))).toEqual([first.value.commit.replace(':', '-')]);
    expect(await sources.at('files', first.value.commit)).toEqual(first);
  });
  it('gets another digest with each change of a name or content, and the same one for the same files', async () => {
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
    const { open, write, folder, data } = givenFolder({ 'fleet.yaml': fleet });
    const sources = open();
    const first = await sources.refresh('files');
    const copies = () => statSync(join(data, 'sources', 'files'), { bigint: true }).mtimeNs;
    const before = copies();
    expect(await sources.refresh('files')).toEqual(first);
    expect(copies()).toBe(before);
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
  it('follows a link to a file of the same folder, as in a mounted ConfigMap', async () => {
    const { open, folder } = givenFolder({ '..data/fleet.yaml': fleet });
    symlinkSync('..data/fleet.yaml', join(folder, 'fleet.yaml'));
    const read = await open().refresh('files');
    expect(read.ok && readFileSync(join(read.value.folder, 'fleet.yaml'), 'utf8')).toBe(fleet);
  });
  it('is copied once nobody has written to it for a moment, so that no file is copied in part', async () => {
    const { open, write, folder } = givenFolder({ 'fleet.yaml': '' });
    const parts = ['version: 1\n', fleet];
    const waits: number[] = [];
    const clock = {
      now: () => statSync(join(folder, 'fleet.yaml')).ctimeMs + (parts.length === 0 ? 200 : 0),
      async sleep(ms: number) {
        waits.push(ms);
        write('fleet.yaml', parts.shift() ?? '');
      },
    };
    const read = await open({}, clock).refresh('files');
    expect(read.ok && readFileSync(join(read.value.folder, 'fleet.yaml'), 'utf8')).toBe(fleet);
    // The times of files are those of the system's last tick.
    expect(waits.map((ms) => Math.round(ms / 20) * 20)).toEqual([200, 200]);
  });
  it('is copied anyway if its files change all the time, or if the clock of its file server is ahead', async () => {
    const { open } = givenFolder({ 'fleet.yaml': fleet });
    const waits: number[] = [];
    const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) };
    expect(await open({}, clock).refresh('files')).toMatchObject({ ok: true });
    expect(waits).toEqual(Array(25).fill(200));
  });
  it("is copied again even if only a file's content changed, and not its size", async () => {
    const { open, write } = givenFolder({ 'fleet.yaml': fleet });
    const sources = open();
    const first = await sources.refresh('files');
    write('fleet.yaml', fleet.replace('1', '2'));
    const second = await sources.refresh('files');
    expect(first.ok && second.ok && first.value.commit !== second.value.commit).toBe(true);
    if (second.ok) expect(readFileSync(join(second.value.folder, 'fleet.yaml'), 'utf8')).toContain('2');
  });
  it('is listed in one order, whatever the order of its file system', () => {
    const { folder } = givenFolder({ 'b.yaml': 'b', 'a/z.yaml': 'z', 'a.yaml': 'a', 'a/b/c.yaml': 'c' });
    const paths = listed(folder).files.map(({ path }) => path);
    expect(paths).toEqual(['a.yaml', 'a/b/c.yaml', 'a/z.yaml', 'b.yaml']);
  });
  it('refuses a pipe, which nobody may ever write to', async () => {
    const { look, folder } = givenFolder({ 'fleet.yaml': fleet });
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    expect(await look()).toEqual([
      'file-unreadable: the source "files" has a link, pipe or device: "pipe.yaml"',
    ]);
  });
  it('is copied again for a commit that only another server has copied', async () => {
    const { open, data, folder } = givenFolder({ 'fleet.yaml': fleet });
    const first = await open().refresh('files');
    if (!first.ok) throw new Error('the folder must be readable');
    rmSync(data, { recursive: true });
    const sources = open();
    expect(await sources.at('files', first.value.commit)).toMatchObject(first);
    expect(sources.current('files')).toEqual(first.value);
    rmSync(folder, { recursive: true });
    expect(await open().at('files', first.value.commit)).toMatchObject({
      ok: false,
      problems: [{ code: 'file-missing' }],
    });
  });
  it('is refused if no folder can be created for its copy', async () => {
    const { open, folder, write } = givenFolder({ 'fleet.yaml': fleet });
    write('data/sources', 'not a folder');
    const sources = open();
    for (const read of [await sources.refresh('files'), await sources.refresh('files')])
      expect(read).toMatchObject({ ok: false, problems: [{ code: 'file-not-written' }] });
    rmSync(join(folder, 'data'), { recursive: true });
    expect(await sources.refresh('files')).toMatchObject({ ok: true });
  });
  it('is pruned to the latest copies, the current one and those that plans need', async () => {
    const { open, write } = givenFolder({ 'fleet.yaml': fleet });
    const sources = open();
    expect(sources.prune('files', [])).toEqual([]);
    const commits: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      write('fleet.yaml', `${fleet}# ${at}\n`);
      const read = await sources.refresh('files');
      if (!read.ok) throw new Error('the folder must be readable');
      commits.push(read.value.commit);
      touchSnapshot(read.value, at === 7 ? 1 : 1_000 * (at + 2));
    }
    const removed = sources.prune('files', [commits[0] ?? '']);
    expect(removed).toEqual([commits[1]]);
    for (const [at, commit] of commits.entries()) {
      const isThere = (await open().at('files', commit)).ok;
      expect([at, isThere]).toEqual([at, at !== 1]);
    }
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
  it('reports a folder that does not exist, and a source that nobody configured', async () => {
    const { look, folder, open } = givenFolder({});
    rmSync(folder, { recursive: true });
    const missing = 'file-missing: the folder of the source "files" does not exist';
    expect(await look()).toEqual([expect.stringContaining(missing)]);
    writeFileSync(folder, 'no folder');
    expect(await look()).toEqual([expect.stringContaining(missing)]);
    const unknown = { ok: false, problems: [{ code: 'configuration', hint: 'the sources are files' }] };
    expect(await open().refresh('other')).toMatchObject(unknown);
    expect(await open().at('other', 'c')).toMatchObject(unknown);
    const none = openServerSources([], { data: folder, folder, env: {}, hide: () => {}, allow: [] });
    expect(await none.refresh('other')).toMatchObject({ problems: [{ hint: 'the sources are none' }] });
    expect(open().current('other')).toBeUndefined();
    expect(open().prune('other', [])).toEqual([]);
  });
  for (const [what, change, code] of [
    ['a file is deleted', (file: string) => rmSync(file), 'file-unreadable'],
    [
      'a file becomes a link to another one',
      (file: string) => {
        writeFileSync(`${file}.other`, 'other');
        rmSync(file);
        symlinkSync(`${file}.other`, file);
      },
      'file-unreadable',
    ],
    [
      'a file becomes a pipe',
      (file: string) => {
        rmSync(file);
        execFileSync('mkfifo', [file]);
      },
      'changed-since',
    ],
    ['a file grows', (file: string) => writeFileSync(file, 'longer'), 'changed-since'],
    ['a file gets another content', (file: string) => writeFileSync(file, 'other'), 'changed-since'],
    [
      'its folder is replaced by an empty one',
      (file: string) => rmSync(dirname(file), { recursive: true }),
      'file-unreadable',
    ],
  ] as const)
    it(`is not copied if ${what} during the copy`, () => {
      const { folder } = givenFolder({ 'fleet.yaml': 'fleet' });
      const { copy } = listed(folder);
      change(join(folder, 'fleet.yaml'));
      expect(copy()).toMatchObject({ ok: false, problems: [{ code }] });
    });
  it('is refused if it disappears during the copy, even if it was empty', () => {
    const { folder } = givenFolder({});
    const { copy } = listed(folder);
    rmSync(folder, { recursive: true });
    expect(copy(join(folder, 'copy'))).toMatchObject({ ok: false, problems: [{ code: 'file-missing' }] });
  });
  it('leaves no file open after the copy', () => {
    const { folder } = givenFolder({ 'fleet.yaml': fleet, 'a.yaml': 'a' });
    expect(listed(folder).copy().ok).toBe(true);
    const open = readdirSync('/proc/self/fd').map((each) => {
      try {
        return realpathSync(`/proc/self/fd/${each}`);
      } catch {
        return '';
      }
    });
    expect(open.filter((each) => each.startsWith(folder))).toEqual([]);
  });
  it('is refused if it changes during the copy', () => {
    const { folder, write } = givenFolder({ 'fleet.yaml': fleet });
    const { copy } = listed(folder);
    for (const [file, text] of [
      ['later.yaml', 'x'],
      ['fleet.yaml', `${fleet}longer`],
    ] as const) {
      write(file, text);
      expect(copy()).toMatchObject({ ok: false, problems: [{ code: 'changed-since' }] });
    }
  });
});

describe('the snapshots of a source', () => {
  it('exist only once they are whole', async () => {
    const { folder } = givenFolder({});
    const snapshots = openSnapshots('s', join(folder, 's'));
    const origin = { commit: 'abc', author: null };
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
    const { folder } = givenFolder({
      's/new-old/a.yaml': 'x',
      's/new-young/a.yaml': 'x',
      's/older/a.yaml': 'x',
    });
    for (const old of ['new-old', 'older']) utimesSync(join(folder, 's', old), 1, 1);
    const young = Date.now() / 1000 - 3_590;
    utimesSync(join(folder, 's', 'new-young'), young, young);
    await openSnapshots('s', join(folder, 's')).create(async () => ok({ commit: 'abc', author: null }));
    expect(readdirSync(join(folder, 's')).sort()).toEqual(['abc', 'new-young', 'older']);
  });
  it('can be entered only by the user of the server', async () => {
    const { folder } = givenFolder({});
    const snapshots = openSnapshots('s', join(folder, 'a', 's'));
    await snapshots.create(async (at) => {
      writeSnapshotFile(at, 'b/c.yaml', Buffer.from('x'));
      return ok({ commit: 'abc', author: null });
    });
    const modes = ['a', 'a/s', 'a/s/abc', 'a/s/abc/b', 'a/s/abc/b/c.yaml', 'a/s/abc/.origin.json'].map(
      (path) => (statSync(join(folder, path)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '700', '700', '700', '400', '400']);
  });
  it('are created once for a commit, even if a crash left a part of one', async () => {
    const { folder } = givenFolder({ 's/abc/a.yaml': 'left over', 's/abc/.origin.json': '{"commit":7}' });
    const snapshots = openSnapshots('s', join(folder, 's'));
    const create = (text: string) =>
      snapshots.create(async (at) => {
        writeSnapshotFile(at, 'b.yaml', Buffer.from(text));
        return ok({ commit: 'abc', author: null });
      });
    const first = await create('first');
    expect(readdirSync(join(folder, 's', 'abc')).sort()).toEqual(['.git', '.origin.json', 'b.yaml']);
    expect(await create('second')).toEqual(first);
    expect(readFileSync(join(folder, 's', 'abc', 'b.yaml'), 'utf8')).toBe('first');
    expect(readdirSync(join(folder, 's'))).toEqual(['abc']);
    expect(snapshots.find('abd')).toBe(undefined);
  });
  it('are pruned by when they were last used, except for those in progress', async () => {
    const { folder } = givenFolder({});
    const snapshots = openSnapshots('s', join(folder, 's'));
    const made = [];
    for (const commit of ['a', 'b', 'c', 'd', 'e']) {
      const one = await snapshots.create(async () => ok({ commit, author: null }));
      if (one.ok) made.push(one.value);
    }
    const [a, b, c, d, e] = made as [Made, Made, Made, Made, Made];
    type Made = (typeof made)[number];
    for (const [at, each] of [c, a, d].entries()) touchSnapshot(each, 1_000 * (at + 10));
    touchSnapshot(b, 1_000);
    rmSync(join(e.folder, '.git'), { recursive: true });
    const working = join(folder, 's', 'new-x');
    mkdirSync(join(working, '.git'), { recursive: true });
    writeFileSync(join(working, '.origin.json'), '{"commit":"x","author":null}');
    touchSnapshot({ ...a, folder: working }, 1);
    expect(snapshots.prune(new Set(['c']), 2)).toEqual(['b', 'e']);
    expect(readdirSync(join(folder, 's')).sort()).toEqual(['a', 'c', 'd', 'new-x']);
    expect(openSnapshots('s', join(folder, 'none')).prune(new Set(), 0)).toEqual([]);
    expect(() => touchSnapshot(b, 1)).not.toThrow();
  });
});
