import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openEmbeddedDatabase, type ThreadedPglite } from '../../../src/server/database/embedded-database.ts';

const root = mkdtempSync(join(tmpdir(), 'rampart-embedded-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The files of its folder when the database was started, and how to open it again. */
function given(name: string | null, failure?: Error) {
  const folder = join(root, name ?? 'none');
  const starts: unknown[] = [];
  const pglite = {
    listen: vi.fn<ThreadedPglite['listen']>(),
    close: vi.fn<ThreadedPglite['close']>(async () => {}),
  };
  const open = (error = failure) =>
    openEmbeddedDatabase({
      folder: name === null ? null : folder,
      version: '0.1.0',
      async start(thread, data) {
        const files = name === null ? [] : readdirSync(folder, { encoding: 'utf8', recursive: true });
        starts.push([basename(thread.pathname), data, files.filter((file) => !file.startsWith('lock'))]);
        if (data !== undefined) mkdirSync(data, { recursive: true });
        if (error !== undefined) throw error;
        return pglite as unknown as ThreadedPglite;
      },
    });
  const opened = async () => {
    const result = await open();
    if (!result.ok) throw new Error(result.problems[0]?.message);
    return result.value;
  };
  return { folder, starts, pglite, open, opened };
}

const thread = 'pglite-thread.ts';
const damaged = new Error('damaged');

describe('opening the embedded database', () => {
  it('keeps it in memory without a folder', async () => {
    const { starts, opened } = given(null);
    const { place, isEmbedded, close } = await opened();
    expect([place, isEmbedded]).toEqual(['the database in memory', true]);
    expect(starts).toEqual([[thread, undefined, []]]);
    await close();
  });

  it('marks its folder until it has created the files, which it opens the next time', async () => {
    const { folder, starts, opened } = given('new/deeper');
    const data = join(folder, 'data');
    const first = await opened();
    expect(first.place).toBe(`the embedded database in "${folder}"`);
    expect(existsSync(join(folder, 'creating'))).toBe(false);
    await first.close();
    await (await opened()).close();
    expect(starts).toEqual([
      [thread, data, ['creating']],
      [thread, data, ['data']],
    ]);
  });

  it('removes incomplete files, also after a failure', async () => {
    const { folder, starts, open } = given('half');
    mkdirSync(join(folder, 'data/base'), { recursive: true });
    writeFileSync(join(folder, 'creating'), '');
    expect(await open(damaged)).toMatchObject({ ok: false });
    expect((await open()).ok).toBe(true);
    const start = [thread, join(folder, 'data'), ['creating']];
    expect(starts).toEqual([start, start]);
  });

  it('lets only its user enter the folder', async () => {
    const { folder, opened } = given('shared');
    mkdirSync(folder, { mode: 0o755 });
    await opened();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('refuses a folder that is open until that database is closed, even if closing fails', async () => {
    const { open, opened, pglite } = given('held');
    const { close } = await opened();
    expect(await open()).toMatchObject({ ok: false, problems: [{ code: 'lock-held' }] });
    pglite.close.mockRejectedValueOnce(damaged);
    await expect(close()).rejects.toBe(damaged);
    const again = await opened();
    expect(again.close()).toBe(again.close());
    await again.close();
    expect(pglite.close).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['missing', Object.assign(new Error('none'), { code: 'ENOENT' }), 'files of Rampart Server are missing'],
    ['damaged', damaged, 'its files are damaged, or of another version'],
  ])('reports %s files, and releases the folder', async (name, error, reason) => {
    const { folder, open } = given(`reported ${name}`);
    expect(await open(error)).toMatchObject({
      ok: false,
      problems: [
        { code: 'state', message: `the embedded database in "${folder}" can't be opened: ${reason}` },
      ],
    });
    expect((await open()).ok).toBe(true);
  });

  it.each([
    ["a folder that it can't create", 'file/x', undefined, 'ENOTDIR'],
    ['a lock that is another file', 'locked', undefined, 'ERR_SQLITE_ERROR'],
    ['a database in memory that fails', null, Object.assign(new Error('x'), { code: 'XX001' }), 'XX001'],
  ])('reports %s', async (_what, name, failure, code) => {
    writeFileSync(join(root, 'file'), '');
    mkdirSync(join(root, 'locked'), { recursive: true });
    writeFileSync(join(root, 'locked/lock'), 'no database'.repeat(100));
    expect(await given(name, failure).open()).toMatchObject({
      ok: false,
      problems: [{ code: 'state', message: expect.stringContaining(`can't be opened (${code})`) }],
    });
  });

  it('listens to a channel until told to stop, and tolerates a channel that fails', async () => {
    const { pglite, opened } = given(null);
    const { notifier } = await opened();
    const unlisten = vi.fn<() => Promise<void>>(async () => {});
    const wake = () => {};
    pglite.listen.mockResolvedValueOnce(unlisten);
    const stop = notifier('news', wake);
    expect(pglite.listen).toHaveBeenCalledWith('news', wake);
    expect(unlisten).not.toHaveBeenCalled();
    await stop();
    expect(unlisten).toHaveBeenCalledOnce();
    pglite.listen.mockRejectedValueOnce(damaged);
    await expect(notifier('news', wake)()).resolves.toBe(undefined);
  });
});
