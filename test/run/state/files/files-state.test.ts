import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { failed, ok, problem, type Result } from '../../../../src/core/problem/problem.ts';
import { openFilesState } from '../../../../src/run/state/files/files-state.ts';
import { runPath } from '../../../../src/run/state/files/run-files.ts';
import type { RunQuery, State } from '../../../../src/run/state/interface/state.ts';
import type { JournalRecord, RunRecord } from '../../../../src/run/state/journal/record.ts';
import { givenFleet } from '../../../given/fleet.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { runFilesIn } from '../../../given/run-files.ts';
import { givenHead, givenRun, timeAt } from '../../../given/runs.ts';
import { fileError, traced } from '../../../given/traced-files.ts';
import { valueOf } from '../../../given/value-of.ts';

const account = { companyId: '42', service: 'https://service.example' };
const other = { companyId: '43', service: 'https://service.example' };
const end: JournalRecord = {
  type: 'end',
  at: timeAt(9),
  exit_code: 0,
  digest: { done: 0, deleted: 0, requests: [] },
};
const idAt = (seconds: number) => givenHead(seconds).run_id;
const day = 24 * 3600;

let stateDir: string;
let state: State;
beforeEach(async () => {
  stateDir = join(givenFolder(), 'state');
  state = openFilesState(stateDir, 'shown');
});

async function have(seconds: number, parts: Partial<RunRecord> = {}, hasEnded = true): Promise<void> {
  valueOf(await state.importRun(givenRun(seconds, hasEnded ? [end] : [], parts)));
}

const ids = async (query: RunQuery) => valueOf(await state.listRuns(query)).map(({ head }) => head.run_id);
const fileOf = (seconds: number) => runPath(stateDir, givenHead(seconds));

describe('the list of runs in a folder', () => {
  it('has the latest first, over days, and reads nothing but journals', async () => {
    for (const seconds of [1, 2 * day, day + 1, day, 0]) await have(seconds);
    await writeFile(join(stateDir, 'runs', 'notes.txt'), '');
    const listed = await state.listRuns({});
    expect(listed.problems).toEqual([]);
    expect(valueOf(listed).map(({ head }) => head.run_id)).toEqual([2 * day, day + 1, day, 1, 0].map(idAt));
  });

  it('has at most the requested number, and reads no more', async () => {
    for (const seconds of [1, 2, 3]) await have(seconds);
    await writeFile(fileOf(1), '{');
    const listed = await state.listRuns({ limit: 2 });
    expect(valueOf(listed).map(({ head }) => head.run_id)).toEqual([idAt(3), idAt(2)]);
    expect(listed.problems).toEqual([]);
  });

  it("has a warning for each run that can't be read", async () => {
    await have(1);
    await have(2);
    await writeFile(fileOf(2), 'x\ny\n');
    await mkdir(fileOf(3));
    const listed = await state.listRuns({});
    expect(valueOf(listed)).toHaveLength(1);
    expect(listed.problems).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('EISDIR') },
      { severity: 'warning', code: 'journal' },
    ]);
  });
});

describe('a run in a folder', () => {
  it.each(['../lock', 'a b', ''])('is not looked up by an id like %j', async (id) => {
    expect((await state.readRun(id)).problems).toMatchObject([
      { code: 'usage', message: expect.stringContaining('is not the id'), hint: expect.any(String) },
    ]);
  });
  it("that does not exist is reported as missing, and one that can't be read is not", async () => {
    expect((await state.readRun(idAt(1))).problems[0]?.message).toContain('does not exist');
    await mkdir(fileOf(1), { recursive: true });
    expect((await state.readRun(idAt(1))).problems).toMatchObject([
      { code: 'journal', message: expect.stringContaining("can't be read (EISDIR)") },
    ]);
  });
});

describe('importing a run into a folder', () => {
  const run = givenRun(1, [end]);
  const name = `${idAt(1)}.ndjson`;

  it('writes the files of a run, and waits for the disk', async () => {
    const { operations, result } = await traced(() => state.importRun(run));
    expect(result).toMatchObject({ value: ok(true) });
    expect(operations.slice(-3)).toEqual([`appendFile ${name}`, `datasync ${name}`, `close ${name}`]);
    expect(await readFile(fileOf(1), 'utf8')).toBe(
      run.records.map((each) => `${JSON.stringify(each)}\n`).join(''),
    );
    expect(valueOf(await state.readRun(idAt(1)))).toEqual(run);
  });
  it("leaves no run behind if its journal can't be synced", async () => {
    const { operations, result } = await traced(
      () => state.importRun(run),
      (operation) => {
        if (operation === 'datasync') throw fileError('ENOSPC');
      },
    );
    expect(result).toMatchObject({
      value: { ok: false, problems: [{ code: 'journal', message: expect.stringContaining('ENOSPC') }] },
    });
    expect(operations.slice(-2)).toEqual([`close ${name}`, `rm ${name}`]);
    expect(runFilesIn(stateDir)).toEqual([]);
  });
  it("also reports a problem if the file can't be opened", async () => {
    const { result } = await traced(
      () => state.importRun(run),
      (operation, file) => {
        if (operation === 'open' && file === name) throw fileError('EROFS');
      },
    );
    expect(result).toMatchObject({ value: { ok: false } });
  });
});

describe('removing runs from a folder', () => {
  it('removes and counts the existing runs', async () => {
    await have(1);
    await have(2);
    const { operations, result } = await traced(() => state.removeRuns([idAt(1), idAt(3), idAt(2)]));
    expect(result).toMatchObject({ value: ok(2) });
    expect(operations.filter((each) => each.includes('not awaited'))).toEqual([]);
    expect(await ids({})).toEqual([]);
  });
  it("is a problem if one can't be removed", async () => {
    await mkdir(fileOf(1), { recursive: true });
    expect(await state.removeRuns([idAt(1)])).toMatchObject({ ok: false, problems: [{ code: 'journal' }] });
  });
});

describe('the fleets in a folder', () => {
  const fleetOf = (name: string) => givenFleet([{ id: 1, name }]);
  const seen = async (visit?: (name: string) => Result<null>) => {
    const names: string[] = [];
    const result = await state.eachFleet(async ({ account: of }) => {
      await new Promise((resolve) => setImmediate(resolve));
      names.push(of.companyId ?? '');
      return visit?.(of.companyId ?? '') ?? ok(null);
    });
    return { result, names };
  };

  it('are visited one after another, and nothing else is', async () => {
    valueOf(await state.saveFleet(account, fleetOf('A')));
    valueOf(await state.saveFleet(other, fleetOf('B')));
    await writeFile(join(stateDir, 'fleets', 'notes.txt'), '');
    const { result, names } = await seen();
    expect(result).toEqual(ok(null));
    expect(names.toSorted()).toEqual(['42', '43']);
  });
  it('stop at the first failure', async () => {
    valueOf(await state.saveFleet(account, fleetOf('A')));
    valueOf(await state.saveFleet(other, fleetOf('B')));
    const stop = failed(problem('state', 'stop'));
    const { result, names } = await seen(() => stop);
    expect(result).toEqual(stop);
    expect(names).toHaveLength(1);
  });
  it('stop at a damaged one', async () => {
    await mkdir(join(stateDir, 'fleets'), { recursive: true });
    await writeFile(join(stateDir, 'fleets', 'a.snapshot.json'), '{}');
    const { result, names } = await seen();
    expect(result.ok).toBe(false);
    expect(names).toEqual([]);
  });
  it("are a problem if they can't be saved", async () => {
    await writeFile(stateDir, '');
    expect(await state.saveFleet(account, fleetOf('A'))).toMatchObject({
      ok: false,
      problems: [{ code: 'journal', message: expect.stringContaining('shown') }],
    });
  });
});

describe('a folder', () => {
  it('is created for its owner by the check that it can be used', async () => {
    expect(await state.check()).toEqual(ok({ runs: 0 }));
    expect((await stat(stateDir)).mode & 0o777).toBe(0o700);
    expect(state.place).toBe('the folder shown');
    await have(1);
    expect(await state.check()).toEqual(ok({ runs: 1 }));
  });
  it("that can't be created is a problem", async () => {
    await writeFile(stateDir, '');
    const { result } = await traced(() => state.check());
    expect(result).toMatchObject({
      value: {
        ok: false,
        problems: [{ code: 'journal', message: "shown can't be written (EEXIST)", hint: expect.any(String) }],
      },
    });
  });
});
