import { mkdir, open as openFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Clock } from '../../../../src/core/lib/surroundings.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import type { Step } from '../../../../src/core/plan/types/step.ts';
import { problem } from '../../../../src/core/problem/problem.ts';
import { createJournal } from '../../../../src/run/state/files/create-journal.ts';
import { readRun } from '../../../../src/run/state/files/read-runs.ts';
import { runPath } from '../../../../src/run/state/files/run-files.ts';
import type { Journal } from '../../../../src/run/state/journal/journal.ts';
import { parseRun } from '../../../../src/run/state/journal/parse-run.ts';
import { recallInstalls } from '../../../../src/run/state/journal/recall.ts';
import { changesMade, replay } from '../../../../src/run/state/journal/replay.ts';
import { digestOf } from '../../../../src/run/state/journal/run-digest.ts';
import { givenDesired, noLimits } from '../../../given/desired.ts';
import { at, givenFleet, hostId } from '../../../given/fleet.ts';
import { givenFolder } from '../../../given/given-folder.ts';
import { givenLease } from '../../../given/lease.ts';
import { givenHead } from '../../../given/runs.ts';

const account = { companyId: '42', service: 'https://service.example' };
const plan = makePlan({
  desired: givenDesired(
    [
      { id: 1, name: 'B', group: 'Berlin' },
      { id: 2, name: 'A' },
      { id: 3, antivirus: true },
      { id: 4, ensure: 'absent' },
    ],
    noLimits,
  ),
  observed: givenFleet(
    [
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
      { id: 3, name: 'C', antivirus: 'missing' },
      { id: 4, name: 'D' },
    ],
    { 10: 'Berlin' },
  ),
  account,
  now: at,
});
const start = Date.parse(at);

let stateDir: string;
let now: number;
const clock: Clock = { now: () => now, sleep: async () => {} };

beforeEach(async () => {
  stateDir = givenFolder();
  now = start;
});

async function open(suffix = 'aaaa'): Promise<Journal> {
  const made = await createJournal(
    stateDir,
    givenLease(),
    {
      clock,
      account,
      planChecksum: 'c',
      steps: plan.steps.length,
      fleetSize: 4,
    },
    suffix,
  );
  if (!made.ok) throw new Error(made.problems[0]?.message);
  return made.value;
}

async function writeAll(journal: Journal, until = plan.steps.length): Promise<void> {
  for (const step of plan.steps.slice(0, until)) {
    await journal.begin(step);
    await journal.outcome(step.id, 'done');
  }
}

const pathOf = (journal: Journal) => runPath(stateDir, { ...givenHead(0), run_id: journal.runId });

describe('a journal', () => {
  it('holds a step on disk before begin resolves', async () => {
    const journal = await open();
    await journal.begin(plan.steps[0] as Step);
    expect(await readFile(pathOf(journal), 'utf8')).toContain('"type":"begin"');
    await journal.end(0);
  });
  it('shares its writes among steps that begin together, and keeps their order', async () => {
    const journal = await open();
    await Promise.all(plan.steps.map((step) => journal.begin(step)));
    const lines = (await readFile(pathOf(journal), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.slice(1).map(({ step }) => step)).toEqual(plan.steps.map((step) => step.id));
    await journal.end(0);
  });
  it('is readable by its owner only', async () => {
    const journal = await open();
    expect((await stat(pathOf(journal))).mode & 0o777).toBe(0o600);
    await journal.end(0);
  });
  it("that can't be written fails before anything is sent", async () => {
    await writeFile(join(stateDir, 'runs'), 'a file where the folder should be');
    const made = await createJournal(
      stateDir,
      givenLease(),
      {
        clock,
        account,
        planChecksum: 'c',
        steps: 0,
        fleetSize: 0,
      },
      'x',
    );
    expect(made.problems[0]?.code).toBe('journal');
  });
  it('without an end belongs to a run that crashed, and a step without an outcome is unknown', async () => {
    const journal = await open();
    await writeAll(journal, 1);
    await journal.begin(plan.steps[1] as Step);
    const run = parseRun(await readFile(pathOf(journal), 'utf8'), 'run');
    if (!run.ok) throw new Error('unread');
    expect(replay(run.value)).toMatchObject({ state: 'crashed', exitCode: null });
    expect(replay(run.value).steps.map(({ outcome }) => outcome)).toEqual(['done', 'unknown']);
  });
  it('may be torn at any byte of its last line', async () => {
    const journal = await open();
    await writeAll(journal, 2);
    const text = await readFile(pathOf(journal), 'utf8');
    const lastLine = text.lastIndexOf('\n', text.length - 2) + 1;
    for (let end = lastLine + 1; end < text.length; end += 1) {
      const run = parseRun(text.slice(0, end), 'run');
      expect(run.ok && run.value.torn && run.value.records.length).toBe(4);
    }
  });
  it('that is damaged in the middle is a problem with a place', async () => {
    const journal = await open();
    await writeAll(journal, 2);
    const lines = (await readFile(pathOf(journal), 'utf8')).split('\n');
    const run = parseRun(lines.with(2, '{"type":"begin"').join('\n'), 'run');
    expect(run.problems[0]).toMatchObject({ code: 'journal', place: { line: 3 } });
  });
  it('that is damaged before a torn line is a problem, too', async () => {
    const journal = await open();
    await writeAll(journal, 2);
    const text = await readFile(pathOf(journal), 'utf8');
    const run = parseRun(`${text}{"type":\n{"type":"beg`, 'run');
    expect(run.problems[0]).toMatchObject({ code: 'journal', place: { line: 6 } });
  });
  const heads: readonly [string, (head: string) => string, string][] = [
    ['without a head', () => '', 'no head'],
    ['of a later format', (head) => head.replace('"1.2"', '"2.0"'), 'format 2.0'],
    ['with an unknown last record', (head) => `${head}{"type":"rest"}\n`, 'damaged'],
    ['with an empty line', (head) => `${head}\n\n`, 'damaged'],
    ['that begins in the middle', (head) => `{"type":"end","at":"${at}","exit_code":0}\n${head}`, 'no head'],
    ['with a time that is none', (head) => `${head}{"type":"end","at":"soon","exit_code":0}\n`, 'damaged'],
  ];
  it.each(heads)('%s is refused', async (_, edited, why) => {
    const journal = await open();
    const run = parseRun(edited(await readFile(pathOf(journal), 'utf8')), 'run');
    expect(run.problems[0]).toMatchObject({ code: 'journal', message: expect.stringContaining(why) });
  });
  it('of a later minor format is read', async () => {
    const journal = await open();
    const head = await readFile(pathOf(journal), 'utf8');
    expect(parseRun(head.replace('"1.2"', '"1.7"'), 'run').ok).toBe(true);
  });
  it('that was lost during the run accepts no more steps', async () => {
    const journal = await open();
    await journal.end(0);
    expect((await journal.begin(plan.steps[0] as Step)).problems[0]?.code).toBe('journal');
    await journal.outcome((plan.steps[0] as Step).id, 'done');
    await journal.end(1);
  });
  it('does not write into the file of another run', async () => {
    await open('same');
    await expect(open('same')).rejects.toThrow('EEXIST');
  });
  it('keeps the problem of a step, and the hosts that were left out', async () => {
    const journal = await open();
    const step = plan.steps[0] as Step;
    await journal.begin(step);
    await journal.outcome(step.id, 'failed', {
      problem: problem('conflict', 'taken', { hint: 'none' }),
      failedHostIds: ['9223372036854775807'],
    });
    const [, , line] = (await readFile(pathOf(journal), 'utf8')).split('\n');
    expect(JSON.parse(line ?? '')).toEqual({
      type: 'outcome',
      at: '2026-11-21T09:00:00.000Z',
      step: step.id,
      outcome: 'failed',
      problem: { code: 'conflict', message: 'taken' },
      failed_host_ids: ['9223372036854775807'],
    });
  });
  it("that can't be read is a problem of its own", async () => {
    const head = givenHead(0);
    await mkdir(runPath(stateDir, head), { recursive: true });
    expect((await readRun(stateDir, head.run_id)).problems[0]?.code).toBe('journal');
    expect((await readRun(stateDir, 'nowhere')).problems[0]?.code).toBe('usage');
  });
  it.each(['../../etc/passwd', 'a/b', ''])('refuses the run id %j', async (id) => {
    expect((await readRun(stateDir, id)).problems[0]).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('is not the id of a run'),
    });
  });
});

describe('what is on disk', () => {
  afterEach(() => vi.restoreAllMocks());

  it('contains a step before its first call, and its outcome with the next such record', async () => {
    const journal = await open();
    const handle = await openFile(pathOf(journal), 'r');
    const sync = vi.spyOn(Object.getPrototypeOf(handle), 'datasync');
    await handle.close();
    const [first, second] = plan.steps as readonly [Step, Step];
    await journal.begin(first);
    expect(sync).toHaveBeenCalledTimes(1);
    await journal.outcome(first.id, 'done');
    expect(sync).toHaveBeenCalledTimes(1);
    await journal.begin(second);
    expect(sync).toHaveBeenCalledTimes(2);
    await journal.end(0);
    expect(sync).toHaveBeenCalledTimes(3);
  });
  it("is required: a step whose record can't be synced does not begin", async () => {
    const journal = await open();
    const handle = await openFile(pathOf(journal), 'r');
    vi.spyOn(Object.getPrototypeOf(handle), 'datasync').mockRejectedValue(new Error('EIO'));
    await handle.close();
    expect((await journal.begin(plan.steps[0] as Step)).problems[0]?.code).toBe('journal');
  });
});

describe('what the journal remembers', () => {
  it('is forgotten if it is for another account', async () => {
    expect(await stateOf(asked, { account: { ...account, companyId: '43' } })).toBeUndefined();
  });

  let runs = 0;
  async function runOf(write: (journal: Journal) => Promise<void>) {
    runs += 1;
    const journal = await open(`run${runs}`);
    await write(journal);
    const run = parseRun(await readFile(pathOf(journal), 'utf8'), 'run');
    if (!run.ok) throw new Error('unread');
    return run.value;
  }
  const install = plan.steps.find((step) => step.kind === 'antivirus') as Step;

  it('includes the names and groups before and after each change', async () => {
    const run = await runOf((journal) => writeAll(journal));
    const changes = changesMade(replay(run)).map(({ change }) => change);
    expect(changes).toEqual(
      expect.arrayContaining([
        { host_id: '1', known_as: 'A', group: { before: '-1', after: '10' } },
        { host_id: '2', name: { before: 'B', after: expect.stringMatching(/^A/) } },
        { host_id: '3', known_as: 'C' },
        { host_id: '4', known_as: 'D', was_in: '-1' },
      ]),
    );
  });
  const options = { account, now: start + 1000, windowMs: 24 * 3600 * 1000 };
  const asked = async (journal: Journal) => {
    await journal.begin(install);
  };
  const at = new Date(start).toISOString();
  const stateOf = async (
    write: (journal: Journal) => Promise<void>,
    more: Partial<Parameters<typeof recallInstalls>[1]> = {},
  ) => recallInstalls([digestOf(await runOf(write))], { ...options, ...more }).get(hostId(3));

  it('is in doubt if the run died between the record and the call', async () => {
    expect(await stateOf(asked)).toEqual({ state: 'in-doubt', requestedAt: at });
  });
  it('is accepted for the hosts of a lost batch that an earlier call covered', async () => {
    const partly = await stateOf(async (journal) => {
      await journal.begin(install);
      await journal.outcome(install.id, 'unknown', { inDoubtHostIds: ['99'] });
    });
    expect(partly).toEqual({ state: 'accepted', requestedAt: at });
  });
  it('is forgotten after the window', async () => {
    expect(await stateOf(asked, { now: start + options.windowMs })).toBeUndefined();
    expect(await stateOf(asked, { now: start + options.windowMs - 1 })).toBeDefined();
  });
  it('counts if the clock of the record was ahead, but not by more than the window', async () => {
    expect(await stateOf(asked, { now: start - options.windowMs + 1 })).toBeDefined();
    expect(await stateOf(asked, { now: start - options.windowMs })).toBeUndefined();
  });
});
