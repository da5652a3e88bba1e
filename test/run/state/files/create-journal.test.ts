import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountKey } from '../../../../src/core/model/account.ts';
import type { Step } from '../../../../src/core/plan/types/step.ts';
import type { Result } from '../../../../src/core/problem/problem.ts';
import { createAppendLog } from '../../../../src/run/state/files/append-log.ts';
import { createJournal } from '../../../../src/run/state/files/create-journal.ts';
import { openFilesState } from '../../../../src/run/state/files/files-state.ts';
import type { Journal } from '../../../../src/run/state/journal/journal.ts';
import { exportState } from '../../../../src/run/state/transfer.ts';
import { at } from '../../../given/fleet.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { givenLease } from '../../../given/lease.ts';
import { givenPlan } from '../../../given/plan.ts';
import { runFilesIn } from '../../../given/run-files.ts';
import { type Before, fileError, traced } from '../../../given/traced-files.ts';

const [step] = givenPlan({ entries: [{ id: 1, name: 'B' }], hosts: [{ id: 1, name: 'A' }] }).steps as [Step];

const account = { companyId: '42', service: 'https://service.example' };

let stateDir: string;
beforeEach(() => {
  stateDir = givenFolder();
});

const open = (): Promise<Result<Journal>> =>
  createJournal(
    join(stateDir, 'new'),
    givenLease(),
    {
      clock: { now: () => Date.parse(at), sleep: async () => {} },
      account,
      planChecksum: 'c',
      steps: 1,
      fleetSize: 4,
    },
    'aaaa',
  );
const key = accountKey(account);
const file = '20261121T090000000Z-aaaa.ndjson';
const failing =
  (operation: string, code: string, name = file): Before =>
  (each, on) => {
    if (each === operation && on === name) throw fileError(code);
  };

describe('the file of a run', () => {
  it('is created for its owner only, and its name and its head are on disk before anything else', async () => {
    const { operations, result } = await traced(open);
    expect(operations).toEqual([
      `open ${file}`,
      ...['202611', key, 'runs', 'new', basename(stateDir)].flatMap((name) => [
        `open ${name}`,
        `sync ${name}`,
        `close ${name}`,
      ]),
      `appendFile ${file}`,
      `datasync ${file}`,
    ]);
    expect(result).toMatchObject({ value: { ok: true } });
    expect((await stat(join(stateDir, 'new', 'runs', key, '202611'))).mode & 0o777).toBe(0o700);
  });

  it('is written in order, and every write is waited for', async () => {
    const journal = await traced(async () => {
      const made = await open();
      if (!made.ok) throw new Error('not made');
      await made.value.begin(step);
      await made.value.outcome(step.id, 'done');
      await made.value.end(0);
    });
    expect(journal.operations.slice(18)).toEqual([
      `appendFile ${file}`,
      `datasync ${file}`,
      `appendFile ${file}`,
      `appendFile ${file}`,
      `datasync ${file}`,
      `close ${file}`,
    ]);
    const lines = (await readFile(join(stateDir, 'new', 'runs', key, '202611', file), 'utf8'))
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['run', 'begin', 'outcome', 'end']);
  });

  it('contains what a step did before the run continues', async () => {
    const made = await open();
    if (!made.ok) throw new Error('not made');
    const { operations } = await traced(() => made.value.outcome(step.id, 'done'));
    expect(operations).toEqual([expect.stringMatching(/^appendFile (?!.*not awaited)/s)]);
    await made.value.end(0);
  });

  it("is closed and removed again if its head can't be written, and the run does not start", async () => {
    const { operations, result } = await traced(open, failing('datasync', 'ENOSPC'));
    expect(operations.slice(-2)).toEqual([`close ${file}`, `rm ${file}`]);
    expect(runFilesIn(join(stateDir, 'new'))).toEqual([]);
    expect(result).toMatchObject({
      value: {
        ok: false,
        problems: [
          {
            code: 'journal',
            message: expect.stringContaining("can't be written (ENOSPC: the disk is full)"),
          },
        ],
      },
    });
  });

  it("is closed and removed again if its name can't be put on disk, and the run does not start", async () => {
    const { operations, result } = await traced(open, failing('sync', 'EIO', '202611'));
    expect(operations.slice(-4)).toEqual(['sync 202611', 'close 202611', `close ${file}`, `rm ${file}`]);
    expect(result).toMatchObject({ value: { ok: false } });
  });

  it('says that the disk is read-only', async () => {
    const { result } = await traced(open, failing('open', 'EROFS'));
    expect(result).toMatchObject({
      value: {
        problems: [
          {
            message: expect.stringContaining('EROFS: the file system is read-only'),
            hint: 'choose a writable folder with --state-dir',
          },
        ],
      },
    });
  });

  it('needs no sync of its folder on Windows, where that is impossible', async () => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
    try {
      const { operations } = await traced(open);
      expect(operations.slice(0, 2)).toEqual([`open ${file}`, `appendFile ${file}`]);
    } finally {
      Object.defineProperty(process, 'platform', platform);
    }
  });
});

describe('a journal without its first line', () => {
  it.each([
    ['is empty', ''],
    ['was cut off in its head', '{"type":"run","format'],
  ])('is not a run, because nothing was sent: it %s', async (_, text) => {
    const made = await open();
    if (!made.ok) throw new Error('not made');
    await made.value.end(0);
    const folder = join(stateDir, 'new', 'runs', key, '202611');
    await writeFile(join(folder, '20261121T090000001Z-bbbb.ndjson'), text);
    const state = openFilesState(join(stateDir, 'new'));
    expect(await state.listRuns({})).toMatchObject({
      ok: true,
      value: [{ head: { run_id: made.value.runId } }],
      problems: [],
    });
    expect(await exportState(state, () => undefined)).toMatchObject({ value: { runs: 1 }, problems: [] });
  });
});

describe('an append-only file', () => {
  it('never replaces another file', async () => {
    const path = join(stateDir, 'log');
    const log = await createAppendLog(path);
    await log.close();
    await expect(createAppendLog(path)).rejects.toThrow('EEXIST');
  });
});
