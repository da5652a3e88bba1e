import { accountKey, accountOfRecord } from '../../../src/core/model/account.ts';
import { noFacts } from '../../../src/core/model/facts.ts';
import { printSnapshot, readSnapshot, type Snapshot } from '../../../src/core/model/snapshot.ts';
import { failed, ok, problem, type Result } from '../../../src/core/problem/problem.ts';
import { notEmpty } from '../../../src/run/state/audit/audit-log.ts';
import {
  chainHeadOf,
  chainRecords,
  emptyChain,
  type StoredRecord,
} from '../../../src/run/state/audit/chain.ts';
import { signedAudit } from '../../../src/run/state/audit/sign-audit.ts';
import type { ListedRun, ListTime, RunQuery, State } from '../../../src/run/state/interface/state.ts';
import { runIdAfter } from '../../../src/run/state/journal/journal-on.ts';
import type { Run } from '../../../src/run/state/journal/parse-run.ts';
import type { JournalRecord, RunRecord } from '../../../src/run/state/journal/record.ts';
import { digestOf, type RunDigest } from '../../../src/run/state/journal/run-digest.ts';
import { sealRun } from '../../../src/run/state/journal/seal-run.ts';
import type { LockHolder } from '../../../src/run/state/lease/lease-holder.ts';
import type { LeaseRow } from '../../../src/run/state/lease/lease-rules.ts';
import { databaseProblem } from '../../../src/run/state/postgres/database-problem.ts';
import { createTable } from '../store/table.ts';
import { startRunIn } from './memory-journal.ts';
import { acquireIn, breakIn, holderIn, isHeldNow } from './memory-lease.ts';
import { type HoldsLease, memoryRollouts, type RolloutTables } from './memory-rollouts.ts';

export interface MemoryRun {
  readonly head: RunRecord;
  readonly records: JournalRecord[];
  /** The key of its account. */
  readonly account: string;
  /** The summary in lists of this many records. */
  digest?: { readonly of: number; readonly shown: RunDigest };
}

/** All that the shared state of a simulated cluster holds. */
export interface StateRecords extends RolloutTables {
  readonly leases: Map<string, LeaseRow & { readonly by: LockHolder }>;
  readonly runs: Map<string, MemoryRun>;
  readonly fleets: Map<string, string>;
  readonly listTimes: Map<string, Map<string, { readonly readAt: number; readonly everyMs: number | null }>>;
  readonly inventories: Map<string, string>;
  readonly audit: StoredRecord[];
  auditHead: { readonly seq: number; readonly text: string } | null;
}

export function createStateRecords(): StateRecords {
  return {
    leases: new Map(),
    runs: new Map(),
    fleets: new Map(),
    listTimes: new Map(),
    inventories: new Map(),
    rollouts: createTable(),
    rolloutPlans: createTable(),
    audit: [],
    auditHead: null,
  };
}

export interface MemoryStateParts {
  readonly records: StateRecords;
  /** The time of the backend, in milliseconds. */
  readonly now: () => number;
  /** Works one statement, which nothing interrupts. Rejects as a database does. */
  readonly statement: <T>(work: () => T) => Promise<T>;
  /** The same for a statement that changes nothing. */
  readonly read: <T>(work: () => T) => Promise<T>;
  /** A few characters that make the id of a run its own. */
  readonly suffix: () => string;
  /** Whether the process of a holder of this machine lives. */
  readonly isAlive: (holder: LockHolder) => boolean;
  /** How far the clock of the backend is ahead of this machine's; asked once. */
  readonly skewMs: () => number;
}

const place = 'memory';
const pageSize = 1_000;

export function holdsLease({ leases }: StateRecords, now: () => number): HoldsLease {
  return (of, epoch) => {
    const row = leases.get(accountKey(of));
    return row !== undefined && isHeldNow(row, epoch, now());
  };
}

/** The shared state in memory, by the rules of the one in PostgreSQL. */
export function memoryState(parts: MemoryStateParts): State {
  const { records, now } = parts;
  const through =
    (statement: MemoryStateParts['statement']) =>
    async <T>(work: () => Result<T>): Promise<Result<T>> => {
      try {
        return await statement(work);
      } catch (error) {
        return failed(databaseProblem(error, place));
      }
    };
  const attempt = through(parts.statement);
  const reading = through(parts.read);
  let skew: number | undefined;
  const skewMs = () => (skew ??= parts.skewMs());
  const holderOfRun = ({ head, account }: Pick<MemoryRun, 'head' | 'account'>): LockHolder | undefined => {
    const lease = records.leases.get(account);
    return lease !== undefined && isHeldNow(lease, head.epoch ?? 0, now()) ? lease.by : undefined;
  };
  const listed = (query: RunQuery): readonly ListedRun[] => {
    const key = query.account && accountKey(query.account);
    const all = [...records.runs.values()].filter(({ account }) => key === undefined || account === key);
    return selected(
      all.map((run) => toListed(run, holderOfRun(run))),
      query,
    );
  };
  const timesOf = (key: string): readonly ListTime[] =>
    [...(records.listTimes.get(key) ?? [])].map(([action, { readAt, everyMs }]) => ({
      action,
      ageMs: now() - readAt,
      everyMs,
    }));
  return {
    place,
    clockSkewMs: () => reading(() => ok(skewMs())),
    async acquire(account, request) {
      try {
        return await acquireIn(parts, accountKey(account), request);
      } catch (error) {
        return failed(databaseProblem(error, place));
      }
    },
    holder: (account) => reading(() => ok(holderIn(parts, accountKey(account)))),
    unlock: (account, epoch) => attempt(() => ok(breakIn(parts, accountKey(account), epoch))),
    async startRun(lease, head) {
      const ahead = await reading(() => ok(skewMs()));
      return ahead.ok ? startRunIn(parts, lease, head, ahead.value) : ahead;
    },
    listRuns: (query) => reading(() => ok(listed(query))),
    readEarlier: (account, query) =>
      reading(() => ok({ runs: listed(query), listTimes: timesOf(accountKey(account)) })),
    readRun: (runId) =>
      reading(() => {
        const run = records.runs.get(runId);
        if (run === undefined)
          return failed(
            problem('usage', `run ${runId} does not exist`, { hint: 'list the runs with: rampart runs' }),
          );
        const holder = run.records.at(-1)?.type === 'end' ? undefined : holderOfRun(run);
        return ok({ ...recordedOf(run), ...(holder === undefined ? {} : { holder }) });
      }),
    runIds: () => reading(() => ok([...records.runs.keys()])),
    sealsOf: (runIds) =>
      reading(() =>
        ok(
          new Map(
            runIds.flatMap((id) => {
              const run = records.runs.get(id);
              return run === undefined ? [] : [[id, sealRun(run.records)] as const];
            }),
          ),
        ),
      ),
    readFleet: (account) => reading(() => fleetOf(records.fleets.get(accountKey(account)))),
    saveFleet: (account, observed, earlier = []) =>
      attempt(() => {
        records.fleets.set(
          accountKey(account),
          printSnapshot({ account, observed, facts: noFacts, earlier }),
        );
        return ok(null);
      }),
    listTimes: (account) => reading(() => ok(timesOf(accountKey(account)))),
    saveListTimes: (account, times) =>
      attempt(() => {
        const key = accountKey(account);
        const known = records.listTimes.get(key) ?? new Map();
        records.listTimes.set(key, known);
        for (const { action, ageMs, everyMs } of times) {
          const readAt = now() - ageMs;
          if ((known.get(action)?.readAt ?? Number.NEGATIVE_INFINITY) < readAt)
            known.set(action, { readAt, everyMs });
        }
        return ok(null);
      }),
    async eachFleet(visit) {
      for (const text of [...records.fleets].toSorted(byKey).map(([, fleet]) => fleet)) {
        const fleet = fleetOf(text);
        if (!fleet.ok) return fleet;
        const visited = fleet.value === null ? ok(null) : await visit(fleet.value);
        if (!visited.ok) return visited;
      }
      return ok(null);
    },
    importRun: (run) =>
      attempt(() => {
        if (records.runs.has(run.head.run_id)) return ok(false);
        const { head } = run;
        const account = accountKey(accountOfRecord(head.account));
        records.runs.set(head.run_id, { head, records: [...run.records], account });
        return ok(true);
      }),
    removeRuns: (runIds) => attempt(() => ok(runIds.filter((id) => records.runs.delete(id)).length)),
    listLocks: () =>
      reading(() =>
        ok(
          [...records.leases.values()]
            .filter((lease) => isHeldNow(lease, lease.epoch, now()))
            .map(({ by }) => by),
        ),
      ),
    migrate: async () => ok({ applied: [] }),
    audit: signedAudit(
      {
        append: (_, entries) =>
          attempt(() => {
            const last = records.audit.at(-1);
            const head = (last && chainHeadOf(last)) ?? emptyChain;
            const chained = chainRecords(head, entries, new Date(now()).toISOString());
            records.audit.push(...chained.records);
            return ok(chained.head);
          }),
        latest: (count) => reading(() => ok(records.audit.slice(-count))),
        page: (cursor) =>
          reading(() => {
            const page = records.audit.slice(cursor, cursor + pageSize);
            return ok({ records: page, next: page.length === pageSize ? cursor + pageSize : null });
          }),
        restore: (all) =>
          attempt(() => {
            if (records.audit.length > 0) return failed(notEmpty(place));
            records.audit.push(...all);
            return ok(null);
          }),
        readHead: () => reading(() => ok(records.auditHead?.text ?? null)),
        saveHead: (head, isFirst = false) =>
          attempt(() => {
            if (isFirst && records.auditHead !== null) return ok(false);
            if ((records.auditHead?.seq ?? 0) <= head.seq)
              records.auditHead = { seq: head.seq, text: JSON.stringify(head) };
            return ok(true);
          }),
      },
      undefined,
    ),
    rollouts: memoryRollouts(records, attempt, reading, holdsLease(records, now)),
    inventories: {
      read: (key) => reading(() => ok(records.inventories.get(key) ?? null)),
      save: (key, text) =>
        attempt(() => {
          records.inventories.set(key, text);
          return ok(null);
        }),
      keys: () => reading(() => ok([...records.inventories.keys()].toSorted())),
    },
    check: () => reading(() => ok({ runs: records.runs.size })),
    close: async () => {},
  };
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function fleetOf(text: string | undefined): Result<Snapshot | null> {
  return text === undefined ? ok(null) : readSnapshot(text, place);
}

function recordedOf({ head, records }: MemoryRun): Run {
  return { head, records: [...records], torn: false };
}

function toListed(run: MemoryRun, holder: LockHolder | undefined): ListedRun {
  const { length } = run.records;
  if (run.digest?.of !== length) run.digest = { of: length, shown: digestOf(recordedOf(run)) };
  const digest = run.digest.shown;
  return digest.state === 'crashed' && holder !== undefined
    ? { ...digest, state: 'running', holder }
    : digest;
}

/** Latest first. */
function selected(
  runs: readonly ListedRun[],
  { before, limit, since, atLeast = 0, until, actor, commit, state }: RunQuery,
): readonly ListedRun[] {
  const found = runs
    .filter(
      ({ head, state: is }) =>
        (before === undefined || head.run_id < before) &&
        (until === undefined || head.run_id < runIdAfter(until)) &&
        (actor === undefined || head.origin?.actor === actor) &&
        (commit === undefined || head.origin?.commit?.startsWith(commit) === true) &&
        (state === undefined || is === state),
    )
    .toSorted((a, b) => (a.head.run_id < b.head.run_id ? 1 : -1));
  const first = since === undefined ? '' : runIdAfter(since - 1);
  return found.filter(({ head }, at) => at < atLeast || head.run_id >= first).slice(0, limit);
}
