import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Problem, Result } from '../../../src/core/problem/problem.ts';
import { eachRecord } from '../../../src/run/state/audit/audit-log.ts';
import { parseRecord } from '../../../src/run/state/audit/chain.ts';
import { type Verification, verifyChain } from '../../../src/run/state/audit/verify-chain.ts';
import { startAuditedRun } from '../../../src/run/state/audited-run.ts';
import type { RunQuery, State } from '../../../src/run/state/interface/state.ts';
import type { Journal } from '../../../src/run/state/journal/journal.ts';
import type { Origin } from '../../../src/run/state/journal/record.ts';
import type { LockHolder } from '../../../src/run/state/lease/lease-holder.ts';
import { describeProcess } from '../../../src/run/state/lease/this-process.ts';
import { exportState, importState } from '../../../src/run/state/transfer.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { at } from '../../given/fleet.ts';
import { hasPostgres } from '../../given/postgres.ts';
import { type Backend, filesBackend, pgliteBackend, postgresBackend } from '../../given/states.ts';
import { renameStep } from '../../given/steps.ts';

const account = { companyId: '42', service: 'https://service.example' };
const start = Date.parse(at);
const alice: Origin = { actor: 'alice', host: 'workstation', commit: 'abc123', approvals: { rename: 28 } };
const bob: Origin = { actor: 'bob', host: 'ci', commit: 'abd456', job: 'https://ci.example/jobs/9' };

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join('; '));
  return result.value;
}

const backends: readonly (readonly [string, () => Promise<Backend>])[] = [
  ['files', filesBackend],
  ['PGlite', pgliteBackend],
  ...(!hasPostgres ? [] : [['PostgreSQL', postgresBackend] as const]),
];

describe.each(backends)('who and why on %s', (_name, make) => {
  let backend: Backend;
  let state: State;
  let count = 0;
  const reported: Problem[] = [];
  beforeAll(async () => {
    backend = await make();
  }, 120_000);
  afterAll(() => backend.stop());
  beforeEach(async () => {
    count += 1;
    state = await backend.open(`state-${count}`);
    return () => state.close();
  }, 60_000);

  const acquire = (origin: Origin, onWait?: (holder: LockHolder | null) => void) =>
    state.acquire(account, {
      clock: systemClock,
      timeoutMs: onWait === undefined ? 0 : 1_000,
      holder: describeProcess(at, origin),
      ...(onWait === undefined ? {} : { onWait }),
    });
  const begin = async (ms: number, origin: Origin) => {
    const lease = valueOf(await acquire(origin));
    const head = {
      clock: { now: () => start + ms, sleep: async () => {} },
      account,
      planChecksum: 'c',
      steps: 1,
      fleetSize: 1,
      origin,
      report: (problems: readonly Problem[]) => void reported.push(...problems),
    };
    return { lease, journal: valueOf(await startAuditedRun(state, lease, head)) };
  };
  const run = async (
    ms: number,
    origin: Origin,
    end?: (journal: Journal) => Promise<unknown>,
  ): Promise<string> => {
    const { lease, journal } = await begin(ms, origin);
    await end?.(journal);
    await lease.release();
    return journal.runId;
  };
  const verified = async (of: State): Promise<Verification> => {
    const verifier = verifyChain();
    valueOf(await eachRecord(of.audit, verifier.add));
    return verifier.end();
  };

  it('filters runs by all given conditions', async () => {
    const first = await run(0, alice, (journal) => journal.end(0));
    const second = await run(1000, bob, (journal) => journal.end(5));
    const third = await run(2000, alice);
    const idsOf = async (query: RunQuery) =>
      valueOf(await state.listRuns(query)).map(({ head }) => head.run_id);
    expect(await idsOf({ actor: 'alice' })).toEqual([third, first]);
    expect(await idsOf({ actor: 'alice', limit: 1 })).toEqual([third]);
    expect(await idsOf({ actor: 'ali' })).toEqual([]);
    expect(await idsOf({ commit: 'ab' })).toEqual([third, second, first]);
    expect(await idsOf({ commit: 'abd' })).toEqual([second]);
    expect(await idsOf({ state: 'completed' })).toEqual([first]);
    expect(await idsOf({ state: 'incomplete' })).toEqual([second]);
    expect(await idsOf({ state: 'crashed' })).toEqual([third]);
    expect(await idsOf({ until: start + 1000 })).toEqual([second, first]);
    expect(await idsOf({ until: start + 999 })).toEqual([first]);
    expect(await idsOf({ since: start + 1000, until: start + 1999 })).toEqual([second]);
    expect(await idsOf({ actor: 'alice', state: 'completed', commit: 'abc123' })).toEqual([first]);
    expect(valueOf(await state.readRun(second)).head.origin).toEqual(bob);
  });

  it('reports the run, the person and the job that hold the lock to a run that waits and to a run that is refused', async () => {
    const { lease, journal } = await begin(0, bob);
    const expected = { actor: 'bob', job: 'https://ci.example/jobs/9', run: journal.runId };
    expect(valueOf(await state.holder(account))).toMatchObject(expected);
    const waited: (LockHolder | null)[] = [];
    const refused = await acquire(alice, (holder) => void waited.push(holder));
    expect(waited).toMatchObject([expected]);
    expect(refused.problems[0]?.message).toContain('of bob on');
    expect(refused.problems[0]?.message).toContain(`run ${journal.runId}, job https://ci.example/jobs/9`);
    await lease.release();
  });

  it('records the start, the approvals and the end of a run', async () => {
    const runId = await run(0, alice, async (journal) => {
      const step = renameStep('s1', { id: 1, name: 'A' }, 'B');
      await journal.begin(step);
      await journal.outcome(step.id, 'done');
      await journal.end(0);
    });
    const records = valueOf(await state.audit.latest(10)).map(({ text }) => parseRecord(text));
    expect(records).toMatchObject([
      { seq: 1, kind: 'run-started', origin: alice, what: { run_id: runId, plan_checksum: 'c', steps: 1 } },
      { seq: 2, kind: 'approval', what: { approvals: { rename: 28 } } },
      { seq: 3, kind: 'run-ended', what: { exit_code: 0, outcomes: { done: 1 } } },
    ]);
    expect(reported).toEqual([]);
  });

  it('moves the audit log to an empty state, and does not change another log', async () => {
    await run(0, alice, (journal) => journal.end(0));
    const lines: string[] = [];
    valueOf(await exportState(state, (line) => void lines.push(line)));
    const eachOf = async function* () {
      yield* lines;
    };
    const copy = await backend.open(`copy-${count}`);
    const read = () => importState(copy, eachOf(), 'state.ndjson');
    expect((await read()).problems).toEqual([]);
    expect(await verified(copy)).toEqual(await verified(state));
    expect((await read()).problems).toEqual([]);
    await copy.close();
    const used = await backend.open(`used-${count}`);
    valueOf(await used.audit.append(systemClock, [{ kind: 'unlock', origin: bob, what: {} }]));
    const imported = await importState(used, eachOf(), 'state.ndjson');
    expect(imported.problems[0]?.message).toContain('already has an audit log');
    expect((await verified(used)).records).toBe(1);
    await used.close();
  });
});
