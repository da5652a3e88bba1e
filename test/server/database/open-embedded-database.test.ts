import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openEmbeddedDatabase, type ThreadedPglite } from '../../../src/server/database/embedded-database.ts';

const root = mkdtempSync(join(tmpdir(), 'rampart-embedded-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** How to open the database in a folder, and for each start its arguments and the files of the folder then. */
function given(name: string | null) {
  const folder = join(root, name ?? 'none');
  const starts: unknown[] = [];
  const pglite = {
    listen: vi.fn<ThreadedPglite['listen']>(),
    close: vi.fn<ThreadedPglite['close']>(async () => {}),
  };
  const open = (failure?: Error) =>
    openEmbeddedDatabase({
      folder: name === null ? null : folder,
      version: '0.1.0',
      async start(thread, data) {
        const files = name === null ? [] : readdirSync(folder, { encoding: 'utf8', recursive: true });
        starts.push([basename(thread.pathname), data, files.filter((file) => !file.startsWith('lock'))]);
        if (data !== undefined) mkdirSync(data, { recursive: true });
        if (failure !== undefined) throw failure;
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
const errorWith = (code: string) => Object.assign(new Error(code), { code });

describe('opening the embedded database', () => {
  it('keeps it in memory without a folder', async () => {
    const { starts, opened } = given(null);
    expect(await opened()).toMatchObject({ place: 'the database in memory', isEmbedded: true });
    expect(starts).toEqual([[thread, undefined, []]]);
  });

  it('marks its folder until it has created the files, which it opens the next time', async () => {
    const { folder, starts, opened } = given('new');
    mkdirSync(folder, { mode: 0o755 });
    const first = await opened();
    expect(first.place).toBe(`the embedded database in "${folder}"`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).not.toContain('creating');
    await first.close();
    await opened();
    const data = join(folder, 'data');
    expect(starts).toEqual([['creating'], ['data']].map((files) => [thread, data, files]));
  });

  it('removes incomplete files, also after a failure, which releases the folder', async () => {
    const { folder, starts, open } = given('half');
    mkdirSync(join(folder, 'data/base'), { recursive: true });
    writeFileSync(join(folder, 'creating'), '');
    expect(await open(damaged)).toMatchObject({ ok: false });
    expect((await open()).ok).toBe(true);
    const start = [thread, join(folder, 'data'), ['creating']];
    expect(starts).toEqual([start, start]);
  });

  it('refuses a folder that is open until that database is closed, even if closing fails', async () => {
    const { folder, open, opened, pglite } = given('deeper/held');
    const { close } = await opened();
    const message = `another process has the embedded database in "${folder}" open`;
    const hint = expect.stringContaining('RAMPART_STATE_URL') as string;
    expect(await open()).toMatchObject({ ok: false, problems: [{ code: 'lock-held', message, hint }] });
    pglite.close.mockRejectedValueOnce(damaged);
    await expect(close()).rejects.toBe(damaged);
    const again = await opened();
    expect(again.close()).toBe(again.close());
    expect(pglite.close).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['missing files', 'missing', errorWith('ENOENT'), 'files of Rampart Server are missing'],
    ['damaged files', 'damaged', damaged, 'its files are damaged, or of another version'],
    ["a folder that it can't create", 'file/x', undefined, "can't be opened (ENOTDIR)"],
    ['a lock that is another file', 'locked', undefined, "can't be opened (ERR_SQLITE_ERROR)"],
    ['a database in memory that fails', null, errorWith('XX001'), "can't be opened (XX001)"],
  ])('reports %s', async (_what, name, failure, reason) => {
    writeFileSync(join(root, 'file'), '');
    mkdirSync(join(root, 'locked'), { recursive: true });
    writeFileSync(join(root, 'locked/lock'), 'no database'.repeat(100));
    const message = expect.stringContaining(reason) as string;
    expect(await given(name).open(failure)).toMatchObject({
      ok: false,
      problems: [{ code: 'state', message }],
    });
  });

  it('does not advise to check a folder of a database in memory', async () => {
    const { ok, problems } = await given(null).open(damaged);
    expect({ ok, hint: problems[0]?.hint }).toEqual({
      ok: false,
      hint: 'install Rampart Server again, or free memory',
    });
  });

  it('listens to a channel until told to stop, and tolerates a channel that fails', async () => {
    const { pglite, opened } = given(null);
    const { notifier } = await opened();
    const unlisten = vi.fn<() => Promise<void>>(async () => {});
    const wake = () => {};
    pglite.listen.mockResolvedValueOnce(unlisten).mockRejectedValueOnce(damaged);
    const stop = notifier('news', wake);
    expect(pglite.listen).toHaveBeenCalledWith('news', wake);
    await stop();
    expect(unlisten).toHaveBeenCalledOnce();
    await expect(notifier('news', wake)()).resolves.toBe(undefined);
  });
});
