import files, { mkdir, readdir, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openFilesState } from '../../../../src/run/state/files/files-state.ts';
import { findRun, runPath } from '../../../../src/run/state/files/run-files.ts';
import type { RunQuery, State } from '../../../../src/run/state/interface/state.ts';
import type { JournalRecord, RunRecord } from '../../../../src/run/state/journal/record.ts';
import { pruneRuns } from '../../../../src/run/state/prune-runs.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { runFilesIn } from '../../../given/run-files.ts';
import { givenHead, givenRun, timeAt } from '../../../given/runs.ts';
import { valueOf } from '../../../given/value-of.ts';

const account = { companyId: '42', service: 'https://service.example' };
const other = { company_id: '43', service: 'https://service.example' };
const month = 31 * 24 * 3600;
const end: JournalRecord = {
  type: 'end',
  at: timeAt(1),
  exit_code: 0,
  digest: { done: 0, deleted: 0, requests: [] },
};

let stateDir: string;
let state: State;
beforeEach(async () => {
  stateDir = givenFolder();
  state = openFilesState(stateDir);
});

const idAt = (seconds: number) => givenHead(seconds).run_id;
const idsOf = async (query: RunQuery = {}) =>
  valueOf(await state.listRuns(query)).map(({ head }) => head.run_id);

async function have(seconds: number, parts: Partial<RunRecord> = {}): Promise<void> {
  valueOf(await state.importRun(givenRun(seconds, [end], parts)));
}

describe('runs in folders of months', () => {
  it('are listed in order of time, over months and accounts', async () => {
    await have(0);
    await have(1, { account: other });
    await have(month);
    await have(2);
    await have(3 * month);
    await have(2 * month, { account: other });
    const all = [3 * month, 2 * month, month, 2, 1, 0].map(idAt);
    expect(await idsOf()).toEqual(all);
    expect(await idsOf({ account })).toEqual([3 * month, month, 2, 0].map(idAt));
    expect(await idsOf({ before: idAt(month) })).toEqual([2, 1, 0].map(idAt));
    expect(valueOf(await state.check())).toEqual({ runs: 6 });
  });

  it('count only runs of the account toward the minimum number', async () => {
    await have(0);
    await have(1);
    for (let seconds = 2; seconds < 40; seconds += 1) await have(seconds, { account: other });
    expect(await idsOf({ account, since: Date.parse(timeAt(99)), atLeast: 2 })).toEqual([idAt(1), idAt(0)]);
    expect(await idsOf({ account, since: Date.parse(timeAt(99)), atLeast: 1 })).toEqual([idAt(1)]);
  });

  it('are found, removed and pruned wherever they are', async () => {
    await have(0);
    await have(1);
    await have(month, { account: other });
    expect(valueOf(await state.readRun(idAt(0))).head.run_id).toBe(idAt(0));
    expect(valueOf(await state.readRun(idAt(month))).head.account).toEqual(other);
    expect(valueOf(await pruneRuns(state, Date.parse(timeAt(9 * month))))).toMatchObject({
      removed: 1,
      needed: 2,
    });
    expect(valueOf(await state.removeRuns([idAt(month), idAt(1), idAt(7)]))).toBe(2);
    expect(runFilesIn(stateDir)).toEqual([]);
  });

  it('are imported, read, listed and removed without a look at all accounts for each run', async () => {
    const accounts = Array.from({ length: 20 }, (_, index) => ({ ...other, company_id: `${index + 1}` }));
    const looks = [vi.spyOn(files, 'access'), vi.spyOn(files, 'readdir')];
    syncBuiltinESMExports();
    const count = async (work: (owner: RunRecord['account'], index: number) => Promise<unknown>) => {
      for (const look of looks) look.mockClear();
      for (const [index, owner] of accounts.entries()) await work(owner, index);
      return looks.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    };
    try {
      expect(await count((owner, index) => have(index, { account: owner }))).toBeLessThanOrEqual(20);
      expect(await count((owner, index) => state.readRun(idAt(index), owner))).toBeLessThanOrEqual(20);
      const listed = await count(({ company_id: companyId, service }) =>
        state.listRuns({ account: { companyId, service } }),
      );
      expect(listed).toBeLessThanOrEqual(60);
      expect(valueOf(await state.removeRuns(accounts.map((_, index) => idAt(index))))).toBe(20);
      expect(runFilesIn(stateDir)).toEqual([]);
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  });

  it('are not imported a second time, even if they were there before this process', async () => {
    await have(0);
    expect(valueOf(await openFilesState(stateDir).importRun(givenRun(0)))).toBe(false);
  });

  it('are not imported a second time for another account', async () => {
    expect(valueOf(await state.importRun(givenRun(0)))).toBe(true);
    expect(valueOf(await state.importRun(givenRun(0, [], { account: other })))).toBe(false);
  });

  it('are not imported a second time', async () => {
    await have(0);
    expect(valueOf(await state.importRun(givenRun(0)))).toBe(false);
    expect(runFilesIn(stateDir)).toEqual([runPath(stateDir, givenHead(0))]);
  });

  it.each(['../../evil', '..', '.hidden', 'a/b', ''])(
    'are not written outside their folder by the id %j',
    async (runId) => {
      const head = { ...givenHead(0), run_id: runId };
      expect(await state.importRun({ head, records: [head], torn: false })).toMatchObject({
        ok: false,
        problems: [{ code: 'journal', message: expect.stringContaining('is not the id of a run') }],
      });
      expect(await readdir(stateDir)).toEqual([]);
    },
  );
});

describe('the folders of runs', () => {
  /** A file in a folder of runs that is not a journal. */
  async function damage(...parts: readonly string[]): Promise<void> {
    const path = join(stateDir, 'runs', ...parts);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'x\ny\n');
  }

  it('are read only for the account and the months of a query', async () => {
    await have(0);
    await have(0, { account: other });
    const foreign = dirname(runPath(stateDir, givenHead(0, { account: other })));
    await damage(relative(join(stateDir, 'runs'), foreign), `${idAt(1)}.ndjson`);
    const later = dirname(runPath(stateDir, givenHead(2 * month)));
    await damage(relative(join(stateDir, 'runs'), later), `${idAt(2 * month)}.ndjson`);
    const listed = await state.listRuns({ account, before: idAt(9) });
    expect(listed).toMatchObject({ value: { length: 1 }, problems: [] });
    expect((await state.listRuns({ account })).problems).toHaveLength(1);
    expect((await state.listRuns({ before: idAt(9) })).problems).toHaveLength(1);
  });

  it('have the key of an account as their name', async () => {
    await damage('notes', '202611', `${idAt(0)}.ndjson`);
    expect(await state.listRuns({})).toMatchObject({ value: [], problems: [] });
    expect(await findRun(stateDir, idAt(0))).toBeUndefined();
  });
});
