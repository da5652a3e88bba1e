import { describe, expect, it } from 'vitest';
import type { AccountConfig } from '../../../../src/accounts/config/account-config.ts';
import { ownTurn } from '../../../../src/accounts/engine/own-turn.ts';
import { readPlan } from '../../../../src/core/plan/document/plan-document.ts';
import { failed, ok, problem, warning } from '../../../../src/core/problem/problem.ts';
import { readDesired } from '../../../../src/input/read-desired.ts';
import type { AccountHold } from '../../../../src/server/accounts/decisions/account-state.ts';
import { accountJobs } from '../../../../src/server/queue/rules/job-handlers.ts';
import { proposeUndo } from '../../../../src/server/runs/rules/propose-undo.ts';
import { toTenant } from '../../../../src/server/settings/configured-account.ts';
import type { GivenAccount } from '../../../given/accounts.ts';
import { hostId } from '../../../given/fleet.ts';
import { alice, inAWhile, place, runOf } from '../../jobs/given.ts';
import { givenMemoryJobs } from '../../jobs/given-memory.ts';

const hosts = [1, 2].map((id) => ({ id: String(id), name: `OLD-${id}` }));
const entries = [1, 2].map((id) => ({ id, name: `NEW-${id}` }));
const kept = [1, 2].map((id) => ({ id, name: `OLD-${id}` }));

const given = (fleet: Partial<GivenAccount> = {}) =>
  givenMemoryJobs({ groups: [], hosts, ...fleet }, entries);

const hold = (parts: Partial<AccountHold> = {}): AccountHold => ({
  kind: 'failed-runs',
  run: 'r0',
  at: new Date().toISOString(),
  commit: 'c1',
  runs: 1,
  isInDoubt: false,
  reason: 'the service lies',
  ...parts,
});

describe('the check of an account', () => {
  it('reports drift in mode observe, and proposes nothing', async () => {
    const { check, account, plans, writes, now } = await given();
    account.mode = 'observe';
    const checked = await check();
    expect(checked).toMatchObject({
      account: 'berlin',
      health: 'drifted',
      changes: 2,
      irreversible: 0,
      commit: 'c1',
      failure: null,
      rateLimited: 0,
    });
    expect(checked?.causes.map(({ kind }) => kind)).toContain('file');
    expect(checked?.nextCheckAt?.getTime()).toBeGreaterThan(now());
    expect([plans.length, writes()]).toEqual([0, 0]);
  });

  it('before the first run, knows by the fleet that was as desired who changed it later', async () => {
    const { check, checks, emulator, desire } = await given();
    const causes = async () => (await check())?.causes.map(({ kind, title }) => [kind, title]);
    desire(kept);
    expect(await causes()).toEqual([]);
    emulator()?.edit({ kind: 'rename', id: '1', name: 'BY-HAND' });
    desire(kept, 'c3');
    expect(await causes()).toEqual([['fleet', 'renamed by hand, set by entries']]);
    expect(checks.at(-1)).not.toHaveProperty('origin');
    desire([{ id: 1, name: 'BY-HAND' }, ...entries.slice(1)], 'c4');
    expect(await causes()).toEqual([['file', 'entries of fleet.yaml that rename hosts']]);
  });

  it('keeps the first fleet that was as desired, once, for later comparisons', async () => {
    const { check, desire, accept, parts, record, account } = await given();
    account.mode = 'observe';
    let isAway = false;
    const reads: string[] = [];
    const { readFleet, saveFleet } = parts.state;
    Object.assign(parts.state, {
      readFleet: async (...of: Parameters<typeof readFleet>) => {
        await inAWhile();
        reads.push('read');
        return isAway ? failed(problem('state', 'away')) : readFleet(...of);
      },
      saveFleet: async (...of: Parameters<typeof saveFleet>) => {
        await inAWhile(3);
        reads.push('save');
        return saveFleet(...of);
      },
    });
    const readsOf = async (...given: Parameters<typeof desire>) => {
      desire(...given);
      await check();
      return reads.splice(0);
    };
    // The comparison of differences reads it by itself.
    expect(await readsOf(entries)).toEqual(['read']);
    expect(await readsOf([{ id: 1, name: 'OLD-2' }])).toEqual(['read']);
    desire(entries.slice(0, 1));
    accept({ host: { id: hostId(1) }, attributes: ['name'], reason: 'agreed', place });
    await check();
    expect(reads.splice(0)).not.toContain('save');
    isAway = true;
    expect(await readsOf(kept)).toEqual(['read']);
    isAway = false;
    expect(await readsOf(kept)).toEqual(['read', 'save']);
    expect(await readsOf(kept)).toEqual(['read']);
    record.health = 'converged';
    expect(await readsOf(kept)).toEqual([]);
  });

  it('uses nothing from a list in which too many hosts are unreadable, and proposes nothing', async () => {
    const listOf = (unreadable: number) =>
      Array.from({ length: 10 }, (_, at) => ({
        id: at < 10 - unreadable ? String(at + 1) : `922337203685477581${at}`,
        name: `OLD-${at + 1}`,
      }));
    const broken = await given({ hosts: listOf(3) });
    expect(await broken.check()).toMatchObject({
      failure: { message: expect.stringContaining("3 of 10 hosts can't be read") },
    });
    expect([broken.plans.length, broken.runs.length, broken.writes()]).toEqual([0, 0, 0]);
    const readable = await given({ hosts: listOf(2) });
    expect(await readable.check()).toMatchObject({ failure: null, changes: 2 });
  });

  it('does not run if the account is not configured or not stored, or one of its runs is in progress', async () => {
    const jobs = await given();
    const run = runOf('berlin', { id: 'r1' });
    jobs.runs.push(run);
    for (const state of ['running', 'stopping'] as const) {
      run.state = state;
      expect(await jobs.check()).toBeNull();
    }
    run.state = 'queued';
    expect(await jobs.check()).not.toBeNull();
    const { find } = jobs.parts.store.accounts;
    Object.assign(jobs.parts.store.accounts, { find: async () => undefined });
    expect(await jobs.check()).toBeNull();
    Object.assign(jobs.parts.store.accounts, { find });
    Object.assign(jobs.settings, { accounts: [] });
    expect(await jobs.check()).toBeNull();
    expect(jobs.checks).toHaveLength(1);
  });

  it.each([{ companyId: '1001' }, { service: 'https://other.example' }])(
    'does not run if a newer configuration gave the name to another tenant: %o',
    async (other) => {
      const jobs = await given();
      const { accounts } = jobs.parts.store;
      const known = await accounts.find('berlin', 'all');
      Object.assign(accounts, { find: async () => ({ ...known, ...other }) });
      const noted: string[] = [];
      Object.assign(jobs.parts, { onOtherTenant: (name: string) => noted.push(name) });
      expect(await jobs.check()).toBeNull();
      expect([jobs.checks, jobs.plans, noted]).toEqual([[], [], ['berlin']]);
    },
  );

  it('records the tenant with its result, and writes nothing once the account belongs to another one', async () => {
    const { account, check, failToLoad, parts, plans, checks, desire } = await given();
    const tenant = toTenant(account, parts.env);
    expect(await check()).toMatchObject({ tenant });
    const { accounts } = parts.store;
    const { find } = accounts;
    let finds = 0;
    Object.assign(accounts, {
      find: async (...asked: Parameters<typeof find>) => {
        finds += 1;
        const found = await find(...asked);
        return found && finds > 1 ? { ...found, service: 'https://other.example' } : found;
      },
    });
    desire([{ id: 1, name: 'ANOTHER' }]);
    await check();
    expect([plans.length, checks.length]).toEqual([1, 1]);
    Object.assign(accounts, { find });
    failToLoad(problem('state', 'the folder is not readable'));
    expect(await check()).toMatchObject({ failure: { code: 'state' }, tenant });
  });

  it('queries only the account if the fleet matches the desired state', async () => {
    const { check, desire, parts, record } = await given();
    desire(kept);
    record.health = 'converged';
    const { store } = parts;
    const { find } = store.accounts;
    let finds = 0;
    const needless = async () => {
      throw new Error('nothing else is needed');
    };
    Object.assign(store.accounts, {
      find: async (...asked: Parameters<typeof find>) => {
        finds += 1;
        return find(...asked);
      },
    });
    Object.assign(store.runs, { find: needless, list: needless });
    Object.assign(store.plans, { list: needless, makeStale: needless, endRejections: needless });
    Object.assign(store.ignores, { of: needless });
    expect(await check()).toMatchObject({ health: 'converged' });
    expect(finds).toBe(1);
  });

  it('shares when it read the lists, whatever its result', async () => {
    const { check, shared, failToLoad } = await given();
    await check();
    expect(shared).toEqual(['list times']);
    failToLoad(problem('network', 'the service is away'));
    await check();
    expect(shared).toEqual(['list times']);
    const refused = await given({ faults: () => [{ kind: 'short-list', share: 0 }] });
    refused.limit({ missing: { kind: 'count', count: 0 } });
    expect(await refused.check()).toMatchObject({ failure: { code: 'hosts-missing' } });
    expect(refused.shared).toEqual(['list times']);
  });

  it('accepts an empty list as the fleet only if no earlier check saw a host', async () => {
    const { check, desire, limit, record } = await given({ hosts: [] });
    desire([]);
    limit({ missing: { kind: 'count', count: 1 } });
    expect(await check()).toMatchObject({ failure: null });
    Object.assign(record, { hosts: 2 });
    expect(await check()).toMatchObject({ health: 'failing', failure: { code: 'hosts-missing' } });
  });

  it('is written even if its worker was stopped at its end', async () => {
    const { check, parts, desire } = await given();
    desire(kept);
    const worker = new AbortController();
    const load = parts.desired.load.bind(parts.desired);
    Object.assign(parts.desired, {
      load: async (...asked: Parameters<typeof load>) => (worker.abort(), load(...asked)),
    });
    expect(await check(worker.signal)).toMatchObject({ health: 'converged' });
    const job = { id: 'j', key: 'berlin', data: {}, attempt: 0, stopping: worker.signal };
    const again = new AbortController();
    Object.assign(parts.desired, {
      load: async (...asked: Parameters<typeof load>) => (again.abort(), load(...asked)),
    });
    await expect(accountJobs(parts).check(job, again.signal)).resolves.toMatchObject({ changed: true });
  });

  it('writes its result in its own turn', async () => {
    const { check, parts } = await given();
    const list = parts.store.pauses.list.bind(parts.store.pauses);
    let turns = 0;
    const before: Promise<number>[] = [];
    Object.assign(parts.store.pauses, {
      list: async () => {
        for (let left = 200; left > 0; left -= 1) before.push(ownTurn().then(() => (turns += 1)));
        return list();
      },
    });
    await check();
    expect(turns).toBe(200);
    await Promise.all(before);
  });

  it('reports which commit or which run caused a difference', async () => {
    const { check, account, desire, parts, record, emulator, plans } = await given();
    account.mode = 'observe';
    const commit = { kind: 'commit', id: 'c1', name: 'Jane <jane@example.com>' };
    expect(await check()).toMatchObject({ origin: commit });
    desire(kept, 'c1');
    expect(await check()).not.toHaveProperty('origin');
    // The desired state is that of the last check, which found no difference.
    desire(entries, 'c1');
    expect(await check()).toMatchObject({ origin: commit });
    record.drifted = 0;
    const listed = (...heads: readonly object[]) =>
      Object.assign(parts.state, { listRuns: async () => ok(heads.map((head) => ({ head }))) });
    listed({ run_id: 'r9', origin: { actor: 'Alice Doe' } }, { run_id: 'r8' });
    expect(await check()).toMatchObject({ origin: { kind: 'run', id: 'r9', name: 'Alice Doe' } });
    record.drifted = 0;
    listed({ run_id: 'r8' });
    expect(await check()).toMatchObject({ origin: { kind: 'run', id: 'r8', name: null } });
    listed({ run_id: 'r8' });
    expect(await check()).toMatchObject({ origin: commit });
    record.drifted = 0;
    desire(entries, 'c2');
    expect(await check()).toMatchObject({ origin: { kind: 'commit', id: 'c2' } });
    record.drifted = 0;
    Object.assign(parts.state, { listRuns: async () => failed(problem('state', 'away')) });
    expect(await check()).toMatchObject({ origin: { kind: 'commit', id: 'c2' } });
    expect([emulator()?.state().hosts.length, plans]).toEqual([2, []]);
  });

  it('counts an install as in progress or in doubt until the list shows it', async () => {
    for (const health of ['in_progress', 'in_doubt']) {
      const { check, run, account, approve } = await givenMemoryJobs(
        {
          groups: [],
          hosts: [{ id: '1', name: 'A', antivirus: { supported: true } }],
          // The service does nothing, so the list never shows the install.
          faults: ({ action }) => {
            if (action !== 'installAntivirus') return [];
            const lost = { kind: 'drop', when: 'after' } as const;
            return [{ kind: 'nothing-done' }, ...(health === 'in_doubt' ? [lost] : [])];
          },
        },
        [{ id: 1, antivirus: true }],
      );
      account.mode = 'propose';
      await check();
      await approve();
      expect(await run()).toBe('ended');
      expect(await check()).toMatchObject({ health, failure: null });
    }
  });

  it('reads the pauses only if there are any, or the plan has changes', async () => {
    const { check, desire, pauses, parts } = await given();
    let reads = 0;
    const { list } = parts.store.pauses;
    Object.assign(parts.store.pauses, { list: async () => list().finally(() => (reads += 1)) });
    desire(kept);
    expect([await check(), reads]).toMatchObject([{ health: 'converged' }, 0]);
    pauses.push({ scope: 'account:another', by: alice, reason: 'x', until: null });
    expect([await check(), reads]).toMatchObject([{ health: 'converged' }, 1]);
  });

  it('does not count a host as ignored if it also differs in another attribute', async () => {
    const { check, account, ignores, desire } = await given({ groups: [{ id: '7', name: 'Web' }] });
    account.mode = 'observe';
    desire([{ id: 1, name: 'NEW-1', group: 'Web' }]);
    ignores.push({ hostId: '1', attribute: 'name', live: 'OLD-1' });
    expect(await check()).toMatchObject({ health: 'drifted' });
    ignores.push({ hostId: '1', attribute: 'group', live: '' });
    expect(await check()).toMatchObject({ health: 'ignored' });
  });

  it('does not count changes of other hosts as ignored, such as differences that the file accepts', async () => {
    const { check, account, ignores, desire, accept } = await given({ groups: [{ id: '7', name: 'Web' }] });
    account.mode = 'observe';
    desire([1, 2].map((id) => ({ id, group: 'Web' })));
    accept({ host: { id: hostId(2) }, attributes: ['group'], reason: 'agreed', place });
    ignores.push({ hostId: '1', attribute: 'group', live: '' });
    expect(await check()).toMatchObject({ health: 'drifted', changes: 2 });
  });

  it('counts each refusal of the service', async () => {
    let refusals = 2;
    const { check, events } = await given({
      faults: () => {
        refusals -= 1;
        return refusals >= 0 ? [{ kind: 'status', status: 429 }] : [];
      },
    });
    expect(await check()).toMatchObject({ rateLimited: 2, failure: null });
    expect(new Set(events)).toContain('berlin call');
  });

  it('keeps the last result if it fails, and waits longer before each new attempt', async () => {
    const { check, failToLoad, plans, account, record, now } = await given();
    account.mode = 'propose';
    await check();
    failToLoad(warning('policy-warning', 'careful'), problem('network', 'the service is away'));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const checked = await check();
      expect(checked).toMatchObject({
        health: 'failing',
        commit: 'c1',
        changes: 2,
        irreversible: 0,
        failure: { code: 'network', message: 'the service is away' },
        causes: [{ kind: 'failure', title: expect.stringContaining('The service at http://127.0.0.1:') }],
      });
      expect(checked?.fleet).toBeUndefined();
      waits.push((checked?.nextCheckAt?.getTime() ?? 0) - now());
    }
    expect(plans[0]?.state).toBe('waiting');
    expect(record.failure?.attempts).toBe(3);
    expect(waits[1]).toBeGreaterThan(1.5 * (waits[0] ?? 0));
    expect(waits[2]).toBeGreaterThan(1.5 * (waits[1] ?? 0));
    Object.assign(plans[0] ?? {}, { irreversible: 1 });
    expect(await check()).toMatchObject({ changes: 2, irreversible: 1 });
    plans.splice(0);
    expect(await check()).toMatchObject({ changes: 0, irreversible: 0 });
  });

  it("fails without secrets if its account can't be opened, or the service refuses", async () => {
    const closed = await given();
    closed.env['RAMPART_PSK'] = 'not a key at all';
    expect(await closed.check()).toMatchObject({ health: 'failing' });
    expect(JSON.stringify(closed.checks)).not.toContain('not a key at all');
    delete closed.env['RAMPART_PSK'];
    expect(await closed.check()).toMatchObject({ failure: { code: 'missing-credentials' } });
    const refused = await given({ faults: () => [{ kind: 'status', status: 401 }] });
    expect(await refused.check()).toMatchObject({ failure: { code: 'not-authenticated' } });
  });
});

describe('the plan of a check', () => {
  it('is not started while a rollout may still change the account', async () => {
    const { check, parts, plans, runs } = await given();
    Object.assign(parts.store.rolloutAccounts, {
      holders: async (names: readonly string[]) => new Map(names.map((name) => [name, 'rollout-1'])),
    });
    // A record that can't be read may be of a rollout in progress.
    Object.assign(parts.store, { rollouts: { read: async () => failed(problem('journal', 'x')) } });
    await check();
    expect([plans[0]?.state, runs]).toEqual(['approved', []]);
  });

  it('waits in mode propose, and is kept while it is unchanged', async () => {
    const { check, account, plans, sent } = await given();
    account.mode = 'propose';
    expect(await check()).toMatchObject({ health: 'waiting' });
    expect(await check()).toMatchObject({ health: 'waiting' });
    expect(plans).toMatchObject([
      {
        state: 'waiting',
        source: 'files',
        commit: 'c1',
        author: 'Jane <jane@example.com>',
        signature: null,
        reason: null,
        counts: { rename: 2, move: 0, delete: 0, install: 0, refresh: 0 },
        changes: 2,
        irreversible: 0,
        calls: 2,
        required: { approvals: 1, notAuthor: false, numbers: [], blocked: null },
      },
    ]);
    expect(sent).toEqual([]);
  });

  it('counts each kind of change, and which of them are irreversible', async () => {
    const fleet = {
      groups: [{ id: '7', name: 'Web' }],
      hosts: ['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((id) => ({
        id,
        name: `OLD-${id}`,
        antivirus: { supported: true },
      })),
    };
    const { check, account, plans } = await givenMemoryJobs(fleet, [
      { id: 1, name: 'NEW-1' },
      { id: 2, group: 'Web' },
      { id: 3, group: 'Web' },
      { id: 4, ensure: 'absent' },
      { id: 5, ensure: 'absent' },
      { id: 6, ensure: 'absent' },
      ...[7, 8, 9].map((id) => ({ id, antivirus: true })),
    ]);
    account.mode = 'propose';
    await check();
    const counts = { rename: 1, move: 2, delete: 3, install: 3 };
    expect(plans).toMatchObject([{ counts, changes: 9, irreversible: 6 }]);
  });

  it('starts automatically in mode correct', async () => {
    const { check, plans, runs, sent, run, names } = await given();
    expect(await check()).toMatchObject({ health: 'waiting', failure: null });
    expect(plans).toMatchObject([{ state: 'approved' }]);
    expect(runs).toMatchObject([
      {
        plan: plans[0]?.id,
        by: { kind: 'server' },
        reason: 'the changes are within the limits of the account',
      },
    ]);
    expect(sent).toEqual(['run berlin']);
    await run();
    expect(names()).toEqual(['NEW-1', 'NEW-2']);
    expect(await check()).toMatchObject({ health: 'converged' });
  });

  it.each([
    ['changes are forbidden', { RAMPART_READ_ONLY: '1' }, 'read-only'],
    ['it can not be signed', { RAMPART_REQUIRE_SIGNATURE: 'server' }, 'missing-credentials'],
  ])('does not start while its run would be refused, and the account says why: %s', async (_, env, code) => {
    const jobs = await given();
    Object.assign(jobs.env, env);
    expect(await jobs.check()).toMatchObject({ health: 'failing', failure: { code } });
    expect([jobs.plans.length, jobs.runs, jobs.sent]).toEqual([1, [], []]);
  });

  it('does not start in mode correct above a limit', async () => {
    const { check, plans, runs, limit } = await given();
    limit({ rename: { kind: 'count', count: 1 } });
    expect(await check()).toMatchObject({ health: 'waiting' });
    const required = { numbers: [{ limit: 'rename', value: 2, allowed: 1 }] };
    expect(plans).toMatchObject([{ state: 'waiting', reason: null, required }]);
    expect(runs).toEqual([]);
  });

  it('does not start if changes are paused while the check reads the fleet', async () => {
    const { check, pauses, plans, runs, parts } = await given();
    const { accounts } = parts.store;
    const { find } = accounts;
    const pausedAfter = async (...asked: Parameters<typeof find>) => {
      const found = await find(...asked);
      pauses.push({ scope: 'all', by: alice, reason: 'x', until: null });
      return found;
    };
    Object.assign(accounts, { find: pausedAfter });
    await check();
    expect([plans[0]?.state, runs.length]).toEqual(['approved', 0]);
  });

  it('is stale, and none is proposed, if the next one has an error that nobody can approve', async () => {
    const { check, account, plans, desire } = await given();
    account.mode = 'propose';
    await check();
    desire([{ id: 1, name: 'OLD-2' }], 'c1');
    const checked = await check();
    expect(checked).toMatchObject({ health: 'failing', failure: { code: 'name-conflict' } });
    expect(checked?.causes.at(-1)).toMatchObject({ kind: 'failure' });
    expect(plans).toMatchObject([
      { state: 'stale', reason: expect.stringMatching(/^the plan can't be applied: /) },
    ]);
  });

  it.each([
    ['is the same', entries],
    ['has more changes', [...entries, { id: 3, name: 'NEW-3' }]],
    ['has fewer changes', entries.slice(1)],
  ])('starts once people have approved its numbers, if the plan that a check found %s', async (_, found) => {
    const { check, account, plans, runs, desire } = await given({
      hosts: [...hosts, { id: '3', name: 'OLD-3' }],
    });
    Object.assign(account, { mode: 'propose', limits: { rename: { kind: 'count', count: 1 } } });
    await check();
    const by = { by: alice, at: new Date(), decision: 'approved', comment: 'go', via: 'console' } as const;
    Object.assign(plans[0] ?? {}, { state: 'approved', approvals: [{ ...by, numbers: { rename: 2 } }] });
    desire(found);
    await check();
    expect([plans.length, runs[0]?.plan]).toEqual([1, plans[0]?.id]);
  });

  it('is kept if it reverses a run, although it differs from the desired state', async () => {
    const { check, run, runs, plans, account, parts, record, pauses, now, approve } = await given();
    await check();
    await run();
    account.mode = 'propose';
    const [first] = runs;
    if (first === undefined) throw new Error('no run');
    expect((await proposeUndo(first, alice, parts)).ok).toBe(true);
    expect(await check()).toMatchObject({ health: 'waiting' });
    expect(plans[0]).toMatchObject({ source: 'undo of run r1', state: 'waiting' });
    const [undo] = plans;
    if (undo === undefined) throw new Error('no plan');
    undo.state = 'approved';
    account.mode = 'correct';
    record.hold = hold({ at: new Date(now()).toISOString() });
    pauses.push({ scope: 'all', by: alice, reason: 'x', until: null });
    expect(await check()).toMatchObject({ health: 'waiting', failure: null });
    expect(plans.map(({ source, state }) => [source, state])).toEqual([
      ['undo of run r1', 'approved'],
      ['files', 'done'],
    ]);
    account.mode = 'propose';
    pauses.splice(0);
    await approve();
    expect(await run()).toBe('ended');
    expect(await check()).toMatchObject({ health: 'waiting' });
  });
});

describe('an account in mode correct after a failure, a stop or an undo', () => {
  it('waits after a failed run, and says until when', async () => {
    const { check, record, runs, plans, now, pass } = await given();
    record.hold = hold({ at: new Date(now()).toISOString() });
    const checked = await check();
    expect(checked).toMatchObject({ health: 'failing', failure: { code: 'not-converging' } });
    expect(checked?.failure?.retryAt).toBeDefined();
    expect(checked?.causes.at(-1)).toMatchObject({ kind: 'failure' });
    expect(checked?.nextCheckAt?.getTime()).toBeLessThanOrEqual(now() + 60_000);
    expect([plans[0]?.state, runs.length]).toEqual(['approved', 0]);
    pass(60_000);
    expect(await check()).toMatchObject({ health: 'waiting', failure: null });
    expect(runs).toHaveLength(1);
  });

  it.each([
    ['something differed', entries, null],
    ['nothing differed any more', kept, hold()],
  ])('waits for a person if someone undid a run during a check: %s', async (_, state, before) => {
    const { check, parts, record, runs, desire } = await given();
    desire(state);
    record.hold = before;
    const { load } = parts.desired;
    const undone = hold({ kind: 'undo', run: 'r1', runs: 0, reason: '' });
    Object.assign(parts.desired, {
      load: async (of: AccountConfig) => {
        record.hold = undone;
        return load(of);
      },
    });
    await check();
    expect([record.hold, runs]).toEqual([undone, []]);
  });
});

describe('a check after an edit of the rules', () => {
  const deleting = (prefix: string) => {
    const text = `version: 1\nrules: [{ name: old, when: 'host.name.startsWith("${prefix}")', ensure: absent }]\n`;
    const read = readDesired([{ file: 'fleet.yaml', text }]);
    if (!read.ok) throw new Error('no rules');
    return read.value.rules;
  };
  const warningsOf = ({ documents, plans }: Awaited<ReturnType<typeof givenMemoryJobs>>) => {
    const read = readPlan(documents.get(plans[0]?.id ?? '') ?? '', 'plan.json');
    if (!read.ok) throw new Error('no plan');
    return read.value.problems
      .filter(({ code }) => code === 'deletions-allowed')
      .map(({ message }) => message);
  };

  it('warns in its plan about a rule that deletes more than in the last run, with a host, even if the fleet changes', async () => {
    const jobs = await givenMemoryJobs({ groups: [], hosts: [{ id: '1', name: 'PC-1' }] }, [
      { id: 1, name: 'PC-2' },
    ]);
    await jobs.check();
    await jobs.run();
    jobs.account.mode = 'propose';
    jobs.desire([{ id: 1, name: 'PC-3' }], 'c2', deleting('OLD-'));
    await jobs.check();
    const message =
      'rule "old" deletes hosts that no rule deleted before this change, for example a host named "OLD-" in no group';
    expect(warningsOf(jobs)).toEqual([message]);
    jobs.desire([{ id: 1, name: 'PC-4' }], 'c3', deleting('OLD-'));
    await jobs.check();
    expect(warningsOf(jobs)).toEqual([message]);
  });

  it('does not warn if the rule deletes less, or if the earlier rules no longer exist', async () => {
    const jobs = await givenMemoryJobs({ groups: [], hosts: [{ id: '1', name: 'PC-1' }] }, []);
    jobs.account.mode = 'propose';
    jobs.desire([{ id: 1, name: 'PC-2' }], 'c2', deleting('OLD-'));
    await jobs.check();
    jobs.desire([{ id: 1, name: 'PC-3' }], 'c3', deleting('OLD-PC-'));
    await jobs.check();
    expect(warningsOf(jobs)).toEqual([]);
    jobs.record.commit = 'rewritten';
    jobs.desire([{ id: 1, name: 'PC-4' }], 'c4', deleting('OLD'));
    await jobs.check();
    expect(warningsOf(jobs)).toEqual([]);
  });

  it('reads the rules of the last run, or else of the last check, only if its plan may delete other hosts', async () => {
    const jobs = await givenMemoryJobs({ groups: [], hosts: [{ id: '1', name: 'PC-1' }] }, []);
    const { parts } = jobs;
    jobs.account.mode = 'propose';
    const read: string[] = [];
    const { load } = parts.desired;
    Object.assign(parts.desired, {
      load: async (...asked: Parameters<typeof load>) => {
        if (asked.length > 1) read.push(String(asked[1]));
        return load(...asked);
      },
    });
    const readBy = async (...desire: Parameters<typeof jobs.desire>) => {
      jobs.desire(...desire);
      await jobs.check();
      return read.splice(0);
    };
    expect(await readBy([{ id: 1, name: 'A' }], 'c2', deleting('OLD-'))).toEqual([]);
    expect(await readBy([{ id: 1, name: 'B' }], 'c2', deleting('OLD-'))).toEqual([]);
    expect(await readBy([{ id: 1, name: 'C' }], 'c3', deleting('OLD-'))).toEqual(['c2']);
    const both = [
      ...deleting('OLD-'),
      ...deleting('TMP-').map((rule) => ({ ...rule, ensure: 'present' as const })),
    ];
    expect(await readBy([{ id: 1, name: 'D' }], 'c4', both)).toEqual(['c3']);
    expect(await readBy([{ id: 1, name: 'E' }], 'c5')).toEqual([]);
    expect(await readBy([{ id: 1, name: 'PC-1' }], 'c6', deleting('OLD-'))).toEqual([]);
    const listed = (result: Awaited<ReturnType<typeof parts.state.listRuns>>) =>
      Object.assign(parts.state, { listRuns: async () => result });
    listed(failed(problem('state', 'away')));
    expect(await readBy([{ id: 1, name: 'F' }], 'c7', deleting('OLD-'))).toEqual(['c6']);
    listed(ok([{ head: { origin: { commit: 'c3' } } }] as never));
    expect(await readBy([{ id: 1, name: 'G' }], 'c8', deleting('OLD-'))).toEqual(['c3']);
  });

  it('reads a plan that people approved for its terms, and for its content only if this check made another one', async () => {
    const { check, account, desire, approve, parts, documents } = await given();
    account.mode = 'propose';
    let reads = 0;
    const { document } = parts.store.plans;
    Object.assign(parts.store.plans, {
      document: async (...asked: Parameters<typeof document>) => {
        reads += 1;
        return document(...asked);
      },
    });
    await check();
    desire(entries.slice(1));
    await check();
    expect(reads).toBe(0);
    await approve();
    await check();
    expect(reads).toBe(1);
    desire(entries);
    await check();
    expect(reads).toBe(3);
    await approve();
    desire(entries.slice(1));
    documents.clear();
    expect(await check()).toMatchObject({ failure: null });
  });
});
