import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';
import { failed, ok, problem } from '../../../core/problem/problem.ts';
import { unzipText, zipText } from '../journal/zip-text.ts';
import { leaseLost } from '../lease/lease.ts';
import { rolloutLockKey } from '../rollout/rollout.ts';
import {
  damagedRolloutHint,
  type RolloutEvent,
  rolloutEntrySchema,
  rolloutHeadSchema,
} from '../rollout/rollout-record.ts';
import type { RolloutStore } from '../rollout/rollout-store.ts';
import { toJson } from './in-transaction.ts';
import { patiently } from './patiently.ts';
import { heldLease } from './postgres-lease.ts';

/** In a connection or a transaction. Rejects if the database fails. */
export function postgresRollouts({ db, place }: RolloutDatabase): RolloutStore {
  return {
    async create(head) {
      const { rows } = await sql`
        insert into rampart.rollout (rollout_id, head) values (${head.rollout_id}, ${toJson(head)})
        on conflict do nothing returning rollout_id
      `.execute(db);
      if (rows.length > 0) return ok(null);
      return failed(problem('state', `there is already a rollout ${head.rollout_id}`));
    },
    async savePlan(rolloutId, account, text) {
      const packed = await zipText(text);
      await sql`
        insert into rampart.rollout_plan (rollout_id, account, plan) values (${rolloutId}, ${account}, ${packed})
        on conflict (rollout_id, account) do update set plan = excluded.plan
      `.execute(db);
      return ok(null);
    },
    async readPlan(rolloutId, account) {
      const { rows } = await sql<{ readonly plan: Uint8Array }>`
        select plan from rampart.rollout_plan where rollout_id = ${rolloutId} and account = ${account}
      `.execute(db);
      const [row] = rows;
      return ok(row === undefined ? null : await unzipText(row.plan));
    },
    async append(rolloutId, revision, events, lease) {
      const entry = { rolloutId, seq: revision + 1, token: randomUUID(), events };
      const written = await patiently(pause, async () =>
        lease?.refusal() === undefined ? appendOnce(db, entry, lease?.epoch ?? null) : 'lease-lost',
      );
      return written === 'lease-lost' ? failed(leaseLost()) : ok(written === 'written');
    },
    async read(rolloutId) {
      const { rows } = await sql<{ readonly head: unknown }>`
        select head from rampart.rollout where rollout_id = ${rolloutId}
      `.execute(db);
      const [row] = rows;
      if (row === undefined) return ok(null);
      const entries = await sql<{ readonly events: unknown }>`
        select events from rampart.rollout_entry where rollout_id = ${rolloutId} order by seq
      `.execute(db);
      const head = rolloutHeadSchema.safeParse(row.head).data;
      const events: RolloutEvent[] = [];
      for (const each of entries.rows) {
        const more = rolloutEntrySchema.safeParse(each.events).data;
        if (more === undefined) return failed(damaged(rolloutId, place));
        events.push(...more);
      }
      if (head === undefined) return failed(damaged(rolloutId, place));
      return ok({ head, events, revision: entries.rows.length });
    },
    async list() {
      const { rows } = await sql<{ readonly rollout_id: string }>`
        select rollout_id from rampart.rollout order by rollout_id desc
      `.execute(db);
      return ok(rows.map(({ rollout_id: id }) => id));
    },
    async remove(rolloutIds) {
      for (const each of rolloutIds)
        await sql`delete from rampart.rollout where rollout_id = ${each}`.execute(db);
      return ok(null);
    },
  };
}

interface RolloutDatabase {
  readonly db: QueryExecutorProvider;
  readonly place: string;
}

interface Entry {
  readonly rolloutId: string;
  readonly seq: number;
  /** Distinguishes the entry from that of another process, if the response to a statement was lost. */
  readonly token: string;
  readonly events: readonly RolloutEvent[];
}

/** One statement checks the lease and the revision, and inserts. */
async function appendOnce(
  db: QueryExecutorProvider,
  { rolloutId, seq, token, events }: Entry,
  epoch: number | null,
): Promise<'written' | 'late' | 'lease-lost'> {
  const { rows } = await sql<{ readonly held: boolean; readonly written: boolean }>`
    with held as (${heldLease(rolloutLockKey(rolloutId), epoch)}),
    written as (
      insert into rampart.rollout_entry (rollout_id, seq, token, events)
      select ${rolloutId}, ${seq}, ${token}, ${toJson(events)}
      where (${epoch === null} or exists (select from held))
        and ${seq} = 1 + (
          select coalesce(max(seq), 0) from rampart.rollout_entry where rollout_id = ${rolloutId}
        )
      on conflict do nothing returning seq
    )
    select (${epoch === null} or exists (select from held)) as held,
      exists (select from written)
        or exists (
          select from rampart.rollout_entry
          where rollout_id = ${rolloutId} and seq = ${seq} and token = ${token}
        ) as written
  `.execute(db);
  const [row] = rows;
  if (row?.held !== true) return 'lease-lost';
  return row.written ? 'written' : 'late';
}

function damaged(rolloutId: string, place: string) {
  return problem(
    'state',
    `the record of rollout ${rolloutId} in ${place} is damaged, or another version of Rampart wrote it`,
    {
      hint: damagedRolloutHint,
    },
  );
}
