import { describe, expect, it } from 'vitest';
import type { CauseRecord } from '../../../../src/server/accounts/records/causes.ts';
import {
  accountNotices,
  expiringNotice,
  planNotice,
  runNotice,
} from '../../../../src/server/notifications/rules/account-notices.ts';
import type { PlanRecord } from '../../../../src/server/plans/records/plans.ts';
import type { ServerRun } from '../../../../src/server/runs/records/runs.ts';
import { accountRecord } from '../given.ts';

const kiosks: CauseRecord = {
  id: 'k1',
  kind: 'file',
  title: 'rule "kiosks"',
  rule: 'kiosks',
  place: { file: 'policies.yaml', line: 12 },
  assets: null,
  hosts: 12,
  accounts: 1,
  since: new Date('2026-11-23T07:00:00.000Z'),
  by: null,
};
const failure = {
  code: 'network',
  message: 'the service does not answer',
  since: '2026-11-23T08:00:00.000Z',
  attempts: 1,
};
const converged = accountRecord();
const drifted = accountRecord({ health: 'drifted', drifted: 12, version: 2 });
const failing = accountRecord({ health: 'failing', failure, version: 3 });

const noticesOf = (
  before: ReturnType<typeof accountRecord> | undefined,
  after: ReturnType<typeof accountRecord>,
  causes: readonly CauseRecord[] = [],
) => accountNotices({ before, after }, causes);

describe('the notices about a check', () => {
  it('are empty while the account is unchanged', () => {
    for (const same of [converged, drifted, failing])
      expect(noticesOf(same, { ...same, version: 9 }, [kiosks])).toEqual([]);
  });
  it('contain one notice for each cause when drift appears', () => {
    const failed = { ...kiosks, id: 'f', kind: 'failure' as const };
    expect(noticesOf(converged, drifted, [kiosks, failed])).toEqual([
      {
        kind: 'drifted',
        account: 'berlin',
        topic: 'drifted k1',
        facts: {
          title: 'Hosts differ from the desired state: rule "kiosks"',
          lines: ['in policies.yaml:12'],
          path: '/accounts/berlin',
          hosts: 12,
        },
      },
    ]);
    expect(noticesOf(undefined, drifted, [{ ...kiosks, place: null }])).toMatchObject([{ kind: 'drifted' }]);
    expect(noticesOf(converged, drifted, [{ ...kiosks, place: { file: 'fleet.yaml' } }])).toMatchObject([
      { facts: { lines: ['in fleet.yaml'] } },
    ]);
  });
  it('contain drift with a cause of other accounts, once its fleet can be read', () => {
    const unread = accountRecord({ health: 'failing', failure, drifted: null, hosts: null });
    expect(noticesOf(undefined, unread, [kiosks])).toMatchObject([{ kind: 'failing' }]);
    expect(noticesOf(unread, drifted, [kiosks])).toMatchObject([{ kind: 'drifted' }, { kind: 'recovered' }]);
  });
  it('contain only the new cause if the account drifts already', () => {
    const later = { ...kiosks, id: 'k2', since: new Date('2026-11-23T08:00:01.000Z') };
    const atLastCheck = { ...kiosks, id: 'k3', since: new Date('2026-11-23T08:00:00.000Z') };
    expect(noticesOf(drifted, { ...drifted, drifted: 13 }, [kiosks, later, atLastCheck])).toMatchObject([
      { topic: 'drifted k2' },
    ]);
  });
  it('contain a failure when it begins, and its end', () => {
    expect(noticesOf(converged, failing)).toMatchObject([
      {
        kind: 'failing',
        topic: 'failing network https://api.example.com',
        facts: { title: 'The check fails: the service does not answer' },
      },
    ]);
    expect(noticesOf(undefined, failing)).toMatchObject([{ kind: 'failing' }]);
    expect(noticesOf(failing, converged)).toMatchObject([
      { kind: 'recovered', topic: 'recovered network https://api.example.com' },
    ]);
    expect(noticesOf(failing, drifted, [kiosks])).toMatchObject([{ kind: 'drifted' }, { kind: 'recovered' }]);
    expect(noticesOf(converged, { ...failing, failure: null })).toMatchObject([
      { facts: { title: 'The check fails: the check failed' } },
    ]);
    expect(noticesOf({ ...failing, failure: null }, converged)).toMatchObject([
      { topic: 'recovered  https://api.example.com' },
    ]);
  });
  it('describe what a failing check needs, and runs that change nothing', () => {
    const stuck = { ...failure, code: 'not-converging', hint: 'compare the plans' };
    expect(noticesOf(converged, { ...failing, failure: stuck })).toMatchObject([
      { facts: { title: 'The runs do not reach the planned state', lines: ['compare the plans'] } },
    ]);
  });
  it('contain a change in doubt when it begins', () => {
    const doubt = accountRecord({ health: 'in_doubt' });
    expect(noticesOf(converged, doubt)).toMatchObject([{ kind: 'in_doubt' }]);
    expect(noticesOf(doubt, doubt)).toEqual([]);
    expect(noticesOf(doubt, converged)).toEqual([]);
  });
});

describe('the notice about a plan', () => {
  const plan = {
    id: 'p1',
    account: 'berlin',
    source: 'git',
    commit: 'abc',
    changes: 3,
    irreversible: 1,
    expiresAt: new Date('2026-11-24T08:30:00.000Z'),
  } as PlanRecord;
  it('reports that it waits, under the topic of its commit', () => {
    expect(planNotice(plan)).toEqual({
      kind: 'waiting',
      account: 'berlin',
      topic: 'waiting git abc',
      facts: {
        title: 'A plan waits for approval',
        lines: ['3 changes, 1 of them irreversible'],
        path: '/changes/p1',
        hosts: 3,
      },
    });
    expect(planNotice({ ...plan, changes: 1, irreversible: 0, commit: null })).toMatchObject({
      topic: 'waiting git ',
      facts: { lines: ['1 change'] },
    });
  });
  it('reports that it expires, under the topic of the hour', () => {
    expect(expiringNotice(plan)).toMatchObject({
      kind: 'expiring',
      topic: 'expiring 2026-11-24T08',
      facts: { lines: ['It expires at 2026-11-24T08:30:00.000Z.'] },
    });
  });
});

describe('the notice about a run', () => {
  const run = {
    id: 'r1',
    plan: 'p1',
    account: 'berlin',
    reason: null,
    steps: { total: 5, done: 3, failed: 1, in_doubt: 1, in_progress: 0, skipped: 0 },
    progress: {},
  } as unknown as ServerRun;
  for (const [state, kind] of [
    ['done', 'applied'],
    ['in_doubt', 'in_doubt'],
    ['failed', 'failed'],
    ['stopped', 'failed'],
    ['queued', undefined],
    ['running', undefined],
    ['stopping', undefined],
  ] as const) {
    it(`is ${kind ?? 'nothing'} if it is ${state}`, () => {
      expect(runNotice({ ...run, state }, null)?.kind).toBe(kind);
    });
  }
  it('names its steps and its reason', () => {
    expect(runNotice({ ...run, state: 'failed', reason: 'approved by Zoe' }, null)?.facts).toEqual({
      title: 'A run failed',
      lines: ['3 of 5 steps done, 1 failed, 1 in doubt', 'approved by Zoe'],
      path: '/changes/p1',
    });
    expect(runNotice({ ...run, state: 'stopped' }, null)?.facts).toMatchObject({
      title: 'A run was stopped',
      lines: ['3 of 5 steps done, 1 failed, 1 in doubt'],
    });
  });
  it('counts the installs that keep a run in doubt after all steps are done', () => {
    const done = { total: 1, done: 1, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 };
    const given = { ...run, steps: done, progress: { installs_in_doubt: 2 } };
    expect(runNotice({ ...given, state: 'in_doubt' }, null)?.facts.lines).toEqual([
      '1 of 1 steps done, 0 failed, 0 in doubt',
      '2 installs in doubt from this run or an earlier one',
    ]);
  });
  it('lists the first hosts that an applied plan left out, and counts the others', () => {
    const problems = [1, 2, 3, 4, 5, 6, 7].map((id) => ({
      code: 'stale-plan',
      message: `"PC-${id}" has moved`,
    }));
    const given = { ...run, progress: { problems: [{ code: 'policy-warning', message: 'x' }, ...problems] } };
    const lines = runNotice({ ...given, state: 'done' }, null)?.facts.lines;
    expect(lines?.slice(0, 2)).toEqual(['left out: "PC-1" has moved', 'left out: "PC-2" has moved']);
    expect(lines?.[5]).toBe('2 more were left out');
    expect(lines).toHaveLength(7);
    expect(runNotice({ ...given, state: 'failed' }, null)?.facts.lines).toHaveLength(1);
  });
  it('has the head of a signed audit log as its last line, so that every channel keeps a copy', () => {
    const hash = 'a'.repeat(64);
    expect(runNotice({ ...run, state: 'done' }, { seq: 12, hash })?.facts.lines?.at(-1)).toBe(
      `Audit head: record 12, ${hash}`,
    );
  });
});
