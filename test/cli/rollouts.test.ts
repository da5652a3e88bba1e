import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rolloutEventJsonSchema } from '../../src/accounts/rollouts/rollout-event-schema.ts';
import { type GivenAccount, type GivenAccounts, givenAccounts } from '../given/accounts.ts';
import { type Workplace, workplace } from '../given/command-line.ts';
import { gitIn } from '../given/git.ts';
import { closed, schemaJudge } from '../given/schema-judge.ts';

const fleet = {
  groups: [],
  hosts: [
    { id: '1', name: 'OLD' },
    { id: '2', name: 'KEPT' },
  ],
};
const desired = 'version: 1\nhosts:\n  - { id: 1, name: NEW }\n';

function tenAccounts(parts: Readonly<Record<string, GivenAccount>> = {}) {
  const names = Array.from({ length: 10 }, (_, at) => `a${at}`);
  return Object.fromEntries(
    names.map((name, at) => [name, { ...fleet, labels: { region: at < 5 ? 'eu' : 'us' }, ...parts[name] }]),
  );
}

/** The faults of an account that refuses renames, until a test empties the list. */
const refusals = () => [{ action: 'renameHost', effect: { kind: 'status', status: 400 } } as const];
/** An account that refuses renames. */
const refusing: GivenAccount = { ...fleet, faults: refusals() };

interface Stage {
  readonly place: Workplace;
  readonly given: GivenAccounts;
  readonly rampart: (...argv: string[]) => ReturnType<Workplace['rampart']>;
}

async function stage(accounts: Readonly<Record<string, GivenAccount>>, rollout = ''): Promise<Stage> {
  const given = await givenAccounts(accounts);
  const place = await workplace({ 'rampart.config.yaml': `${given.config}${rollout}` });
  await place.write('fleet.yaml', desired);
  return { place, given, rampart: (...argv) => place.rampart(argv, { env: given.env }) };
}

/** Closed: a field that the program writes and that is missing from the schema is a fault of the schema. */
const eventFlaws = schemaJudge(closed(rolloutEventJsonSchema()));
const all = ['--accounts', 'name != ""'];
const writes = ({ names, writesOf }: GivenAccounts) => names.map((name) => writesOf(name)).join(' ');
const statusOf = async ({ rampart }: Stage) => JSON.parse((await rampart('rollout', 'show', '--json')).out);
const lines = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('apply over several accounts', () => {
  it('applies a folder of plans in waves, verifies each account, and can undo all of it', async () => {
    const { given, rampart } = await stage(tenAccounts(), 'rollout: { canary: [a3], waves: [50%, 100%] }\n');
    expect(await rampart('plan', ...all, '--out', 'plans')).toMatchObject({ code: 0 });
    const applied = await rampart('apply', 'plans', '--wave-pause', '10m');
    expect(applied.err).toContain('Waves: canary (1), 50% (5), 100% (4).');
    expect(applied.err).toContain('Waiting 10 min before wave 50%.');
    expect(applied.code, applied.err).toBe(0);
    expect(applied.out).toContain('completed');
    expect(writes(given)).toBe('1 1 1 1 1 1 1 1 1 1');
    const status = JSON.parse((await rampart('rollout', 'show', '--json')).out);
    expect(status).toMatchObject({ state: 'completed', exit_code: 0, totals: { done: 10, failed: 0 } });
    expect((await rampart('rollout', 'undo')).code).toBe(6);
    expect(await rampart('rollout', 'undo', '--auto-approve')).toExit(0);
    expect(writes(given)).toBe('2 2 2 2 2 2 2 2 2 2');
    expect((await rampart('rollout', 'show')).out).toContain('undone');
    expect((await rampart('rollout', 'continue')).code).toBe(3);
    const audit = await rampart('state', 'audit', 'list', '--json');
    for (const kind of ['rollout-started', 'rollout-ended', 'rollout-undo-started', 'rollout-undo-ended'])
      expect(audit.out).toContain(kind);
    expect((await rampart('state', 'audit', 'verify')).code).toBe(0);
  });

  it('offers to continue no rollout that had nothing to apply', async () => {
    const { place, rampart } = await stage({ a1: fleet });
    await place.write(
      'fleet.yaml',
      'version: 1\nhosts:\n  - { id: 1, name: SAME }\n  - { id: 2, name: SAME }\n',
    );
    expect((await rampart('plan', ...all, '--out', 'plans')).code).not.toBe(0);
    const applied = await rampart('apply', 'plans');
    expect(applied.err).toContain('There is nothing to apply');
    expect(applied.out).toContain('completed, but 1 account failed');
    expect(applied.out).not.toContain('rampart rollout');
    expect((await rampart('rollout', 'continue')).err).toContain('there is no rollout');
  });

  it('plans the selected accounts on the spot, asks once, and applies nothing without a yes', async () => {
    const { place, given, rampart } = await stage(tenAccounts());
    expect(await rampart('apply', '--accounts', 'region == "eu"')).toExit(6);
    expect(writes(given)).toBe('0 0 0 0 0 0 0 0 0 0');
    expect((await rampart('rollout', 'show')).code).toBe(3);
    expect(
      await place.rampart(['apply', '--accounts', 'region == "eu"'], { env: given.env, answer: 'yes' }),
    ).toExit(0, 'Apply these changes to 5 accounts?');
    expect(writes(given)).toBe('1 1 1 1 1 0 0 0 0 0');
  });

  it('stops at more failed accounts than are allowed, in text, JSON and exit code alike, and continues', async () => {
    const faults = refusals();
    const given = await stage(tenAccounts({ a2: { ...fleet, faults }, a4: { ...fleet, faults } }));
    const { rampart } = given;
    const argv = ['apply', ...all, '--auto-approve', '--max-failed', '10%', '--parallel', '1'];
    const applied = await rampart(...argv);
    expect(applied.code).toBe(5);
    expect(applied.out).toContain('stopped: 2 accounts failed, and 1 may fail');
    expect(applied.err).toMatch(/\[3\/10\] a2 {2}failed {2}exit 5, run \S+/);
    expect(writes(given.given)).toBe('1 1 1 1 1 0 0 0 0 0');
    expect(await statusOf(given)).toMatchObject({
      state: 'stopped',
      exit_code: 5,
      stop: { reason: 'failed-accounts' },
      totals: { done: 3, failed: 2, pending: 5 },
    });
    // The fault is over: the failed accounts are applied again, and those that are done are not.
    faults.length = 0;
    const continued = await rampart('rollout', 'continue');
    expect(continued.code, continued.err).toBe(0);
    expect(writes(given.given)).toBe('1 1 2 1 2 1 1 1 1 1');
    const progress = [...continued.err.matchAll(/^\[(\d+)\/10\]/gm)].map(([, done]) => Number(done));
    expect(progress.toSorted((a, b) => a - b)).toEqual([4, 5, 6, 7, 8, 9, 10]);
  });

  it('begins, continues and undoes no rollout in read-only mode', async () => {
    const { place, given, rampart } = await stage({ a0: fleet, a1: refusing });
    await rampart('plan', ...all, '--out', 'plans');
    const argv = [...all, '--auto-approve', '--parallel', '1'];
    const refused = async (...words: string[]) =>
      expect(
        await place.rampart(words, { env: { ...given.env, RAMPART_READ_ONLY: '1' } }),
        words.join(' '),
      ).toExit(6, 'RAMPART_READ_ONLY');
    await refused('apply', ...argv);
    await refused('apply', 'plans');
    expect((await rampart('rollout', 'list')).out).toBe('There are no rollouts yet.\n');
    expect(await rampart('apply', ...argv)).toExit(5);
    const seen = async () => [writes(given), (await rampart('rollout', 'show', '--json')).out];
    const before = await seen();
    await refused('rollout', 'continue');
    await refused('rollout', 'undo', '--auto-approve');
    expect(await seen()).toEqual(before);
  });

  it('applies only the index with the reviewed checksum, and with --continue continues its rollout', async () => {
    const faults = refusals();
    const given = await stage(tenAccounts({ a1: { ...fleet, faults } }));
    const { rampart } = given;
    const planned = await rampart('plan', ...all, '--out', 'plans', '--json');
    const { checksum } = JSON.parse(planned.out) as { checksum: string };
    const argv = ['apply', 'plans', '--continue', '--checksum'];
    const stale = await rampart(...argv, '0'.repeat(64));
    expect([stale.code, writes(given.given)]).toEqual([7, '0 0 0 0 0 0 0 0 0 0']);
    const first = await rampart(...argv, checksum, '--parallel', '1');
    expect([first.code, writes(given.given)]).toEqual([5, '1 1 0 0 0 0 0 0 0 0']);
    // The changes of an edited desired state were not reviewed.
    await given.place.write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: OTHER }\n');
    faults.length = 0;
    const second = await rampart(...argv, checksum);
    expect(second.err).toContain('Continuing rollout');
    expect([second.code, writes(given.given)]).toEqual([0, '1 2 1 1 1 1 1 1 1 1']);
    const third = await rampart(...argv, checksum, '--summary-out', 'end.json');
    expect(third.err).toContain('has already applied these plans');
    expect([third.code, writes(given.given)]).toEqual([0, '1 2 1 1 1 1 1 1 1 1']);
    const saved = JSON.parse(await readFile(join(given.place.folder, 'end.json'), 'utf8'));
    expect(saved).toMatchObject({ type: 'rollout_end', state: 'completed', totals: { done: 10 } });
    expect((await rampart('rollout', 'undo', '--auto-approve')).code).toBe(0);
    expect(await rampart(...argv, checksum)).toExit(6, 'was undone, so they are not applied again');
  });

  it('continues nothing by records that the repository contains', async () => {
    const given = await stage({ a0: fleet });
    const { rampart } = given;
    expect((await rampart('plan', ...all, '--out', 'plans')).code).toBe(0);
    const git = gitIn(given.place.folder);
    git('init');
    await mkdir(join(given.place.folder, '.rampart'), { recursive: true });
    await given.place.write('.rampart/forged', '');
    git('add', '--force', '.rampart/forged');
    const refused = await rampart('apply', 'plans', '--continue');
    expect(refused.err).toContain('the records of earlier runs are part of the repository: .rampart/forged');
    expect([refused.code, writes(given.given)]).toEqual([6, '0']);
    for (const command of ['continue', 'undo']) {
      const { code, err } = await rampart('rollout', command);
      expect([code, err]).toEqual([6, expect.stringContaining('.rampart/forged')]);
    }
    git('rm', '--cached', '.rampart/forged');
    await mkdir(join(given.place.folder, 'forged', 'state'), { recursive: true });
    await given.place.write('forged/state/head', '');
    await symlink('forged', join(given.place.folder, 'link'));
    git('add', 'forged', 'link');
    const linked = await rampart('apply', 'plans', '--continue', '--state-dir', 'link/state');
    expect(linked.err).toContain('the records of earlier runs are part of the repository: forged/state/head');
    expect([linked.code, writes(given.given)]).toEqual([6, '0']);
    const head = join(given.place.folder, '.git', 'HEAD');
    await rename(head, `${head}.away`);
    const unlisted = await rampart('apply', 'plans', '--continue');
    expect(unlisted.err).toContain("Git can't list which records of earlier runs are part of the repository");
    expect([unlisted.code, writes(given.given)]).toEqual([6, '0']);
    await rename(`${head}.away`, head);
    expect((await rampart('apply', 'plans', '--continue')).code).toBe(0);
    expect(writes(given.given)).toBe('1');
  });

  it('keeps regions apart with a label, and takes canaries by an expression', async () => {
    const { rampart } = await stage(tenAccounts());
    const argv = ['--canary-accounts', 'name == "a9"', '--waves', '50%,100%', '--wave-label', 'region'];
    expect(await rampart('apply', ...all, '--auto-approve', ...argv)).toExit(
      0,
      'Waves: canary of us (1), 50% of eu (3), 50% of us (2), 100% of eu (2), 100% of us (2).',
    );
    expect((await rampart('apply', ...all, '--auto-approve', '--wave-label', 'tier')).code).toBe(3);
  });

  it('refuses canaries, labels and rollouts that do not exist, with the place or the flag', async () => {
    const few = { berlin: fleet, lisbon: fleet };
    const wrong = 'rollout: { canary: [nobody], by: regoin, waves: [100%] }\n';
    const { given, place, rampart } = await stage(few, wrong);
    expect((await rampart('plan', ...all, '--out', 'plans')).code).toBe(0);
    const line = (await readFile(join(place.folder, 'rampart.config.yaml'), 'utf8')).trimEnd().split('\n');
    for (const [flags, message] of [
      [[], `there is no account "nobody" in the configuration\n  --> rampart.config.yaml:${line.length}:`],
      [['--canary-accounts', 'regoin == "eu"'], '--canary-accounts: "regoin" does not exist'],
      [
        ['--canary-accounts', 'berlin'],
        `no account has the label "regoin", so it can't separate waves\n  -->`,
      ],
      [['--canary-accounts', 'berlin', '--wave-label', 'x'], 'no account has the label "x"'],
    ] as const) {
      const ran = await rampart('apply', 'plans', ...flags);
      expect([ran.code, ran.err]).toEqual([3, expect.stringContaining(message)]);
    }
    expect(writes(given)).toBe('0 0');
    await place.write('rampart.config.yaml', given.config);
    const done = await rampart('apply', 'plans', '--json');
    const { rollout_id: id } = JSON.parse(done.out.split('\n')[0] ?? '') as { readonly rollout_id: string };
    const unknown = await rampart('rollout', 'show', '20200101T000000000Z-000000');
    expect([unknown.code, unknown.err]).toEqual([
      3,
      expect.stringContaining(`the latest rollouts are ${id}`),
    ]);
  });

  it('are listed latest first, with their state and how many accounts are done', async () => {
    const { place, rampart } = await stage({ a0: refusing, a1: fleet });
    expect(await rampart('rollout', 'list')).toMatchObject({ code: 0, out: 'There are no rollouts yet.\n' });
    expect(JSON.parse((await rampart('rollout', 'list', '--json')).out)).toEqual([]);
    await rampart('apply', ...all, '--auto-approve', '--canary-accounts', 'a0');
    const [first] = JSON.parse((await rampart('rollout', 'list', '--json')).out);
    expect(first).toMatchObject({
      state: 'stopped',
      stop: { account: 'a0' },
      totals: { done: 0, failed: 1 },
      is_running: false,
      exit_code: (await statusOf({ rampart } as Stage)).exit_code,
    });
    await rampart('rollout', 'abort');
    await place.clock.sleep(60_000);
    await rampart('apply', '--accounts', 'name == "a1"', '--auto-approve');
    const { out } = await rampart('rollout', 'list');
    expect(out).toMatch(
      /^ROLLOUT +DONE +FAILED +BY +STATE\n.* 1 of 1 +0 +\S+ +completed\n.* 0 of 2 +1 +\S+ +aborted\n$/,
    );
    const limited = await rampart('rollout', 'list', '--limit', '1', '--format', 'ndjson');
    expect(lines(limited.out)).toMatchObject([{ state: 'completed' }]);
    expect(limited.err).toContain('The list ends after 1 rollout. List more with --limit.');
  });

  it('stops before an account whose change window is closed', async () => {
    const given = await stage(tenAccounts());
    const window = 'policy:\n  windows:\n    - { name: nights, only: "Mon-Fri 20:00-06:00 Europe/Berlin" }\n';
    await given.place.write('fleet.yaml', `${desired}${window}`);
    const applied = await given.rampart('apply', ...all, '--auto-approve');
    expect(applied.code).toBe(6);
    expect(await statusOf(given)).toMatchObject({ state: 'stopped', stop: { reason: 'closed-window' } });
    expect(applied.out).toContain('window "nights"');
    expect(writes(given.given)).toBe('0 0 0 0 0 0 0 0 0 0');
  });

  it('never applies to an account whose mode is observe, and names it', async () => {
    const given = await stage(tenAccounts({ a0: { ...fleet, mode: 'observe' } }));
    const named = await given.rampart('apply', '--account', 'a0', '--account', 'a1', '--auto-approve');
    expect(named.code).toBe(6);
    expect(named.err).toContain('the account "a0" is in mode observe, and nothing was changed');
    expect((await given.rampart('apply', '--account', 'a0', '--auto-approve')).code).toBe(6);
    expect(await given.rampart('apply', ...all, '--auto-approve')).toExit(0, '"a0"');
    expect(writes(given.given)).toBe('0 1 1 1 1 1 1 1 1 1');
    expect(await statusOf(given)).toMatchObject({ left_out: [{ account: 'a0', status: 'skipped' }] });
  });

  it('does not approve new plans of accounts in mode propose with --auto-approve', async () => {
    const given = await stage(
      tenAccounts({ a3: { ...fleet, mode: 'propose' }, a4: { ...fleet, mode: 'propose' } }),
    );
    const refused = await given.rampart('apply', ...all, '--auto-approve');
    expect(refused.code).toBe(6);
    expect(refused.err).toContain('2 accounts, such as "a3", are in mode propose');
    expect(writes(given.given)).toBe('0 0 0 0 0 0 0 0 0 0');
    await given.rampart('plan', ...all, '--out', 'plans');
    expect((await given.rampart('apply', 'plans')).code).toBe(0);
    expect((await given.rampart('rollout', 'undo', '--auto-approve')).code).toBe(6);
    expect(writes(given.given)).toBe('2 2 2 1 1 2 2 2 2 2');
    const undo = ['rollout', 'undo'];
    expect((await given.place.rampart(undo, { env: given.given.env, answer: 'yes' })).code).toBe(0);
    expect(writes(given.given)).toBe('2 2 2 2 2 2 2 2 2 2');
  });

  it('approves deletions over a limit for the exact sum, or for one account, in plan and in apply', async () => {
    const given = await stage(tenAccounts());
    await given.place.write(
      'fleet.yaml',
      'version: 1\npolicy: { limits: { delete: 0 } }\nhosts:\n  - { id: 2, ensure: absent }\n',
    );
    const eu = ['--accounts', 'region == "eu"', '--ack'];
    const plan = (ack: string, ...more: string[]) => given.rampart('plan', ...eu, ack, ...more);
    const apply = (ack: string) => given.rampart('apply', ...eu, ack, '--auto-approve', '--max-failed', '10');
    for (const ran of [await plan('delete=4'), await apply('delete=4')])
      expect([ran.code, ran.err]).toEqual([6, expect.stringContaining('the plans have 5 changes')]);
    for (const ran of [await plan('a9:delete=1'), await apply('a9:delete=1')])
      expect([ran.code, ran.err]).toEqual([3, expect.stringContaining('names an account that has no plan')]);
    const planned = await plan('a1:delete=1', '--json');
    expect(JSON.parse(planned.out)).toMatchObject({ totals: { outcomes: { refused: 4, changes: 1 } } });
    expect((await apply('a1:delete=1')).code).toBe(6);
    expect(writes(given.given)).toBe('0 1 0 0 0 0 0 0 0 0');
    expect(await plan('delete=4', '--out', 'plans')).toExit(0);
    expect(await given.rampart('apply', 'plans')).toExit(0);
    expect(writes(given.given)).toBe('1 1 1 1 1 0 0 0 0 0');
  });

  it('stops at a signal, and continues from another folder with the same state', async () => {
    const stop: (() => void)[] = [];
    const beforeEach = ({ action }: { readonly action: string | null }) => {
      if (action === 'renameHost') stop.pop()?.();
    };
    const given = await stage(tenAccounts({ a4: { ...fleet, hooks: { beforeEach } } }));
    stop.push(() => given.place.interrupt());
    expect(await given.rampart('apply', ...all, '--auto-approve', '--parallel', '2')).toExit(130);
    const status = await statusOf(given);
    expect(status).toMatchObject({ state: 'stopped', stop: { reason: 'signal' } });
    expect(status.totals.pending).toBeGreaterThan(3);
    const elsewhere = await workplace({ 'rampart.config.yaml': given.given.config });
    await elsewhere.write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: OTHER }\n');
    const argv = ['rollout', 'continue', '--state-dir', `${given.place.folder}/.rampart`];
    expect(await elsewhere.rampart(argv, { env: given.given.env })).toExit(0);
    // The approved plans are applied, not those of the other folder; nothing is written twice.
    expect(writes(given.given)).toBe('1 1 1 1 1 1 1 1 1 1');
    expect(
      [...given.given.emulators.values()].every(
        ({ requests }) => !requests.some(({ body }) => body?.includes('OTHER')),
      ),
    ).toBe(true);
  });

  it('starts no account after an abort from another process', async () => {
    const abort: (() => Promise<unknown>)[] = [];
    const beforeEach = async ({ action }: { readonly action: string | null }) => {
      if (action === 'renameHost') await abort.pop()?.();
    };
    const given = await stage(tenAccounts({ a2: { ...fleet, hooks: { beforeEach } } }));
    abort.push(() => given.rampart('rollout', 'abort', '--reason', 'wrong rule'));
    expect(await given.rampart('apply', ...all, '--auto-approve', '--parallel', '1')).toExit(5);
    expect(writes(given.given)).toBe('1 1 1 0 0 0 0 0 0 0');
    expect((await given.rampart('rollout', 'show')).out).toContain('aborted');
    expect((await given.rampart('rollout', 'continue')).code).toBe(3);
    expect((await given.rampart('rollout', 'abort')).code).toBe(3);
  });

  it('prints events with the account of each, and the summary last', async () => {
    const given = await stage({ a0: fleet, a1: fleet, a2: refusing });
    const applied = await given.rampart('apply', ...all, '--auto-approve', '--json', '--max-failed', '1');
    const events = lines(applied.out);
    for (const event of events) expect(eventFlaws(event), JSON.stringify(event)).toEqual([]);
    expect(events[0]).toMatchObject({ type: 'rollout_start', waves: [{ name: '100%', accounts: 3 }] });
    expect(events.filter(({ type }) => type === 'account_end')).toHaveLength(3);
    expect(events.filter(({ type, account }) => type === 'apply_complete' && account === undefined)).toEqual(
      [],
    );
    const last = events.at(-1);
    expect(last).toMatchObject({
      type: 'rollout_end',
      exit_code: 5,
      state: 'completed',
      totals: { done: 2, failed: 1 },
    });
    expect(applied.code).toBe(5);
    const { type: _, at: __, recorded, ...document } = last;
    expect(recorded).toBe(true);
    expect(await statusOf(given)).toEqual(document);
  });

  it('sends at most the calls of --max-calls over all accounts, saves its summary, and continues', async () => {
    const given = await stage(tenAccounts());
    const bounds = '--auto-approve --parallel 3 --max-calls 4 --summary-out end.json'.split(' ');
    expect(await given.rampart('apply', ...all, ...bounds)).toExit(5);
    const sum = () => given.given.names.reduce((total, name) => total + given.given.writesOf(name), 0);
    expect(sum()).toBe(4);
    const status = await statusOf(given);
    expect(status).toMatchObject({
      state: 'stopped',
      stop: { reason: 'budget-spent' },
      totals: { done: 4, pending: 6, failed: 0 },
    });
    const saved = JSON.parse(await readFile(join(given.place.folder, 'end.json'), 'utf8'));
    expect(saved).toEqual({ type: 'rollout_end', ...status, recorded: true });
    expect((await given.rampart('rollout', 'continue', '--max-calls', '2')).code).toBe(5);
    expect(sum()).toBe(6);
    expect((await given.rampart('rollout', 'continue')).code).toBe(0);
    expect(writes(given.given)).toBe('1 1 1 1 1 1 1 1 1 1');
  });

  it('gets further with each continuation and --max-calls, because finished steps cost no calls', async () => {
    const ids = ['1', '2', '3', '4', '5'];
    const named = (prefix: string) => ({
      groups: [],
      hosts: ids.map((id) => ({ id, name: `${prefix}-${id}` })),
    });
    const given = await stage({ a0: named('OLD'), a1: named('NEW') });
    const entries = ids.map((id) => `  - { id: ${id}, name: NEW-${id} }\n`);
    await given.place.write('fleet.yaml', `version: 1\nhosts:\n${entries.join('')}`);
    const budget = ['--max-calls', '2'];
    expect((await given.rampart('apply', ...all, '--auto-approve', ...budget)).code).toBe(5);
    expect(writes(given.given)).toBe('2 0');
    expect((await given.rampart('rollout', 'continue', ...budget)).code).toBe(5);
    expect(writes(given.given)).toBe('4 0');
    expect((await given.rampart('rollout', 'continue', ...budget)).code).toBe(0);
    expect(writes(given.given)).toBe('5 0');
  });

  it('starts no account after the deadline of the rollout', async () => {
    const given = await stage(tenAccounts(), 'rollout: { waves: [50%, 100%], pause: 1h }\n');
    const applied = await given.rampart('apply', ...all, '--auto-approve', '--deadline', '30m', '--json');
    const events = lines(applied.out);
    // No account could start after it, so the pause ends too.
    expect(events.at(-1).at).toBe('2026-11-21T09:30:00.000Z');
    for (const event of events) expect(eventFlaws(event), JSON.stringify(event)).toEqual([]);
    expect(events.map(({ type }) => type)).toContain('wave_pause');
    expect(applied.code, applied.err).toBe(5);
    expect(await statusOf(given)).toMatchObject({
      stop: { reason: 'budget-spent', why: 'the deadline of the rollout has passed' },
      totals: { done: 5, pending: 5 },
    });
  });

  it('counts an account that could not be planned as failed', async () => {
    const given = await stage({
      a0: fleet,
      a1: { ...fleet, faults: [{ action: 'reads', effect: { kind: 'status', status: 403 } }] },
    });
    expect(await given.rampart('apply', ...all, '--auto-approve')).toExit(4);
    expect(writes(given.given)).toBe('0 0');
    const lenient = await given.rampart('apply', ...all, '--auto-approve', '--max-failed', '1');
    expect(lenient.code).toBe(4);
    expect(writes(given.given)).toBe('1 0');
    expect(lenient.out).toMatch(/a1 {2}failed/);
  });

  it('starts no rollout if no account has changes', async () => {
    const given = await stage(tenAccounts());
    await given.place.write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: OLD }\n');
    expect(await given.rampart('apply', ...all)).toExit(0, { out: '10 left out' });
  });

  it.each([
    [['apply', 'plan.json', '--waves', '100%'], 'are for several accounts'],
    [['apply', '--ack', 'a0:delete=1'], 'are for several accounts'],
    [['plan', '--account', 'a0', '--ack', 'a0:delete=1'], 'is for several accounts'],
    [['apply', '--waves', '50%'], 'percentages that increase'],
    [['apply', '--max-failed', 'x'], 'a percentage such as 2%'],
    [['apply', 'plan.json', ...all], 'is the plan of one account'],
    [['apply', ...all, '--checksum', 'a'.repeat(64)], '--checksum is for saved plans'],
    [['apply', 'plan.json', '--continue'], '--continue is for a folder of plans'],
    [['apply', '.', ...all], 'leave out --account, --accounts and --changed-since'],
    [['rollout', 'show'], 'there is no rollout'],
    [['rollout', 'continue', 'nobody'], 'rollout "nobody" does not exist'],
  ])('refuses rampart %j', async (argv, message) => {
    const { rampart } = await stage({ a0: fleet, a1: fleet });
    expect(await rampart(...argv)).toExit(3, message);
  });

  it('shows no key, in no output and no record of a rollout', async () => {
    const { place, rampart, given } = await stage(tenAccounts({ a5: refusing }));
    const ran = [
      await rampart('apply', ...all, '--auto-approve', '--json'),
      await rampart('rollout', 'show'),
    ];
    const files = globSync(`${place.folder}/.rampart/rollouts/**/*.*`).map((file) =>
      readFileSync(file, 'utf8'),
    );
    expect(files.length).toBeGreaterThan(1);
    const key = given.env['RAMPART_PSK'] ?? '';
    for (const text of [...ran.flatMap(({ out, err }) => [out, err]), ...files])
      expect(text).not.toContain(key);
  });
});

it('apply plans --max-plan-age 1d refuses a plan of tomorrow, which would never be too old', async () => {
  const { place, given } = await stage({ a: fleet });
  const ahead = await workplace();
  await ahead.clock.sleep(24 * 3600_000);
  const planned = ['plan', ...all, '--out', 'plans/'];
  expect((await ahead.rampart(planned, { env: given.env, folder: place.folder })).code).toBe(0);
  const refused = await place.rampart('apply plans --max-plan-age 1d', { env: given.env });
  expect(refused).toMatchObject({ code: 7, err: expect.stringContaining('which is in the future') });
  expect(given.writesOf('a')).toBe(0);
});
