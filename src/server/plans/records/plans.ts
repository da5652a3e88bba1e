import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { sql } from 'kysely';
import type { Result } from '../../../core/problem/result.ts';
import { toJson } from '../../../run/state/postgres/to-json.ts';
import { ifGiven } from '../../database/if-given.ts';
import { inTransaction } from '../../database/in-transaction.ts';
import { type Page, type PageRequest, pageLimit, pageOf, readCursor, timeKey } from '../../database/page.ts';
import type { StoreDb, Subject } from '../../database/tables.ts';
import { isVisible, type Visible } from '../../database/visible.ts';
import { appendEvents } from '../../events/records/append-events.ts';
import { type CommitPlans, readCommitPlans } from './commit-plans.ts';
import { type LaterCheck, writeKept, writeReopened } from './kept-plans.ts';
import {
  type ApprovalRecord,
  type CommentRecord,
  type LaterChecks,
  type NewPlan,
  type PlanRecord,
  type PlanRow,
  type PlanState,
  planColumns,
  toPlan,
  undoSource,
} from './plan-record.ts';
import { changePlans, isOutdated, proposePlan } from './propose-plan.ts';

export type {
  ApprovalRecord,
  CommentRecord,
  NewPlan,
  PlanRecord,
  PlanState,
} from './plan-record.ts';

export interface PlanQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly states?: readonly PlanState[] | undefined;
  readonly source?: string | undefined;
  readonly pullRequest?: string | undefined;
}

export type Plans = ReturnType<typeof plansOn>;

const unzip = promisify(gunzip);

/** `reported`: the sources whose forge gets the states of plans. */
export function plansOn(db: StoreDb, reported: ReadonlySet<string>) {
  const readPlan = async (id: string, visible: Visible): Promise<PlanRecord | undefined> => {
    const { rows } = await sql<PlanRow>`
      select ${planColumns} from rampart_server.plan where id = ${id} and ${isVisible(visible, sql`account`)}
    `.execute(db);
    return rows[0] && toPlan(rows[0]);
  };
  return {
    /**
     * Stores a plan as the open one of its account. An open plan with the same content stays and is returned; another
     * one that has not begun becomes stale. The rejected plan if someone rejected the same changes. Undefined if the open
     * plan is running.
     */
    propose: (plan: NewPlan): Promise<{ plan: PlanRecord; isNew: boolean } | undefined> =>
      inTransaction(db, (transaction) => proposePlan(transaction, plan, reported)),

    /** Latest first. */
    async list(query: PlanQuery): Promise<Result<Page<PlanRecord>>> {
      const cursor = readCursor(query.cursor, timeKey);
      if (!cursor.ok) return cursor;
      const limit = pageLimit(query.limit);
      const { rows } = await sql<PlanRow>`
        select ${planColumns} from rampart_server.plan
        where ${isVisible(query.visible, sql`account`)}
          and ${ifGiven(query.account, (account) => sql`account = ${account}`)}
          and ${ifGiven(query.states, (states) => sql`state = any(${states}::text[])`)}
          and ${ifGiven(query.source, (source) => sql`source = ${source}`)}
          and ${ifGiven(query.pullRequest, (pullRequest) => sql`pull_request = ${pullRequest}`)}
          and ${ifGiven(cursor.value, (after) => sql`(created_at, id) < (${after[0]}::timestamptz, ${after[1]})`)}
        order by created_at desc, id desc limit ${limit + 1}
      `.execute(db);
      return pageOf(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id], toPlan);
    },

    find: readPlan,

    /**
     * Locks plans until the end of a transaction that decides several. Each decision also locks the audit log, so whoever
     * took one plan after another would wait for someone who decides one of them and waits for the log.
     */
    async lock(ids: readonly string[]): Promise<void> {
      await sql`
        select id from rampart_server.plan where id = any(${ids}::text[]) order by id for update
      `.execute(db);
    },

    /** The outcome of the plans of a commit. */
    ofCommit: (source: string, commit: string): Promise<readonly CommitPlans[]> =>
      readCommitPlans(db, source, commit),

    /** The page of the pull request that brought a commit, for the plans of the commit without one. */
    async setPullRequest(source: string, commit: string, pullRequest: string): Promise<void> {
      await inTransaction(db, (transaction) =>
        changePlans(
          transaction,
          sql`plan.source = ${source} and plan.commit = ${commit} and plan.pull_request is null`,
          { pullRequest },
          // Their states are those that were reported.
          new Set(),
        ),
      );
    },

    /** What its review shows, as `propose` was given it. */
    async review(id: string, visible: Visible): Promise<unknown> {
      const { rows } = await sql<{ review: unknown }>`
        select review from rampart_server.plan where id = ${id} and ${isVisible(visible, sql`account`)}
      `.execute(db);
      return rows[0]?.review;
    },

    /** The plan file. */
    async document(id: string, visible: Visible): Promise<string | undefined> {
      const { rows } = await sql<{ document: Uint8Array }>`
        select document from rampart_server.plan where id = ${id} and ${isVisible(visible, sql`account`)}
      `.execute(db);
      return rows[0] && (await unzip(rows[0].document)).toString();
    },

    /** The plan of the same account before this one. */
    async previous(id: string, visible: Visible): Promise<PlanRecord | undefined> {
      const { rows } = await sql<PlanRow>`
        select ${planColumns} from rampart_server.plan
        where ${isVisible(visible, sql`account`)} and (account, created_at, id) in (
          select before.account, before.created_at, before.id
          from rampart_server.plan as this join rampart_server.plan as before
            on before.account = this.account and (before.created_at, before.id) < (this.created_at, this.id)
          where this.id = ${id} order by before.created_at desc, before.id desc limit 1
        )
      `.execute(db);
      return rows[0] && toPlan(rows[0]);
    },

    /**
     * One decision for each person: the latest counts. Undefined unless the plan waits, has this checksum and has not
     * expired. Locks the plan until the transaction ends, so that two decisions are counted one after the other.
     */
    decide: (
      id: string,
      checksum: string,
      { by, decision, numbers, comment, via }: Omit<ApprovalRecord, 'at'>,
    ): Promise<PlanRecord | undefined> =>
      inTransaction(db, async (transaction) => {
        const { rows } = await sql`
          select id from rampart_server.plan
          where id = ${id} and checksum = ${checksum} and state = 'waiting' and expires_at > clock_timestamp()
          for update
        `.execute(transaction);
        if (rows.length === 0) return undefined;
        await sql`
          insert into rampart_server.approval (plan, subject_key, subject, decision, numbers, comment, via)
          values (${id}, ${`${by.kind}:${by.id}`}, ${toJson(by)}, ${decision}, ${toJson(numbers)}, ${comment}, ${via})
          on conflict (plan, subject_key) do update set subject = excluded.subject, at = clock_timestamp(),
            decision = excluded.decision, numbers = excluded.numbers, comment = excluded.comment, via = excluded.via
        `.execute(transaction);
        const changed = await changePlans(transaction, sql`plan.id = ${id}`, {}, reported);
        return changed[0];
      }),

    comment: (id: string, by: Subject, text: string): Promise<CommentRecord> =>
      inTransaction(db, async (transaction) => {
        const { rows } = await sql<CommentRecord & { readonly account: string }>`
          insert into rampart_server.comment (plan, subject, text) values (${id}, ${toJson(by)}, ${text})
          returning subject as by, at, text, (select account from rampart_server.plan where id = ${id}) as account
        `.execute(transaction);
        const { account, ...comment } = rows[0] as CommentRecord & { readonly account: string };
        await appendEvents(transaction, [{ type: 'plan.changed', account, resource: id }]);
        return comment;
      }),

    /** Oldest first. */
    async comments(id: string, visible: Visible): Promise<readonly CommentRecord[]> {
      const { rows } = await sql<CommentRecord>`
        select comment.subject as by, comment.at, comment.text
        from rampart_server.comment join rampart_server.plan on plan.id = comment.plan
        where plan.id = ${id} and ${isVisible(visible, sql`plan.account`)} order by comment.id limit 500
      `.execute(db);
      return rows;
    },

    /**
     * Moves a plan from one of these states; undefined if it was in none of them. A plan whose time has passed is neither
     * approved nor begun. One that runs already goes on, so that its run has an end.
     */
    async move(
      id: string,
      from: readonly PlanState[],
      to: PlanState,
      reason?: string,
    ): Promise<PlanRecord | undefined> {
      const isInTime =
        to === 'approved' || to === 'running'
          ? sql`(plan.expires_at > clock_timestamp() or plan.state = 'running')`
          : sql`true`;
      const [plan] = await inTransaction(db, (transaction) =>
        changePlans(
          transaction,
          sql`plan.id = ${id} and plan.state = any(${from}::text[]) and ${isInTime}`,
          { state: to, reason },
          reported,
        ),
      );
      return plan;
    },

    /**
     * Makes the plan of an account stale that waits or is approved, because the fleet or the files changed; not if a check
     * that began after `beganAt` is written, or the account now belongs to another tenant. The reversal of a run stays.
     */
    async makeStale(
      account: string,
      reason: string,
      check: Pick<NewPlan, 'beganAt' | 'tenant'> = {},
    ): Promise<PlanRecord | undefined> {
      const [plan] = await inTransaction(db, (transaction) =>
        changePlans(
          transaction,
          sql`plan.account = ${account} and plan.state in ('waiting', 'approved')
            and not starts_with(plan.source, ${undoSource}) and not exists (
            select from rampart_server.account where name = ${account} and ${isOutdated(check)})`,
          { state: 'stale', reason },
          reported,
        ),
      );
      return plan;
    },

    /**
     * Notes what a later check means for an open plan with approvals. Undefined if the plan has changed since it was read,
     * a check that began later is written, or the account now belongs to another tenant.
     */
    keep: (...kept: LaterCheck): Promise<PlanRecord | undefined> =>
      inTransaction(db, (transaction) => writeKept(transaction, reported, ...kept)),

    /**
     * Makes a plan the open one of its account again that the check after it replaced; the open one becomes stale. False if
     * one of them has changed since it was read.
     */
    reopen: (plan: PlanRecord, open: PlanRecord, later: LaterChecks): Promise<boolean> =>
      inTransaction(db, (transaction) => writeReopened(transaction, reported, plan, open, later)),

    /**
     * From now on, checks propose again what people rejected in these accounts; not for a check if one that began later is
     * written, or the account now belongs to another tenant.
     */
    async endRejections(
      accounts: readonly string[],
      check: Pick<NewPlan, 'beganAt' | 'tenant'> = {},
    ): Promise<void> {
      await sql`
        update rampart_server.plan set expires_at = date_trunc('milliseconds', clock_timestamp())
        where account = any(${accounts}::text[]) and state = 'rejected' and expires_at > clock_timestamp()
          and not exists (select from rampart_server.account where name = plan.account and ${isOutdated(check)})
      `.execute(db);
    },

    /** Expires the plans whose time has passed. */
    expire: (): Promise<readonly PlanRecord[]> =>
      inTransaction(db, (transaction) =>
        changePlans(
          transaction,
          sql`plan.state in ('waiting', 'approved') and plan.expires_at <= clock_timestamp()`,
          { state: 'expired', reason: 'nobody applied it in time' },
          reported,
        ),
      ),
  };
}
