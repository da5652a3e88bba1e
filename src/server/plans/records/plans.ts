import { sql } from 'kysely';
import type { Subject, Visible } from '../../../api/access/grants.ts';
import { type PlanState } from '../../../api/states.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { unzipText } from '../../../run/state/journal/zip-text.ts';
import { inTransaction, toJson } from '../../../run/state/postgres/in-transaction.ts';
import { literally } from '../../database/name-key.ts';
import {
  type ListPage,
  mapPage,
  type PageRequest,
  pageLimit,
  readCursor,
  timeKey,
  toListPage,
} from '../../database/page.ts';
import { ifGiven, type StoreDb, visibleRows } from '../../database/query.ts';
import { appendEvents } from '../../events/records/append-events.ts';
import { type LaterChecks, type StoredApproval, undoSource } from '../decisions/stored-plan.ts';
import { type CommitPlans, readCommitPlans } from './commit-plans.ts';
import { type ComparedAccount, type ComparedQuery, readCompared } from './compared-plans.ts';
import {
  type CommentRecord,
  type NewPlan,
  type PlanRecord,
  planColumns,
  type StoredPlanRow,
  toPlan,
} from './plan-record.ts';
import { changePlans, proposePlan } from './propose-plan.ts';

export type {
  CommentRecord,
  NewPlan,
  PlanRecord,
} from './plan-record.ts';

export interface PlanQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly states?: readonly PlanState[] | undefined;
  readonly source?: string | undefined;
  readonly pullRequest?: string | undefined;
  /** Part of the account, the author, the commit or the pull request, in any letter case. */
  readonly text?: string | undefined;
  readonly risk?: 'irreversible' | 'limit' | undefined;
}

/** Rejections of an account that a check compares. */
const mostRejections = 50;

/** `reported`: the sources whose forge gets the states of plans. */
export function plansOn(db: StoreDb, reported: ReadonlySet<string>) {
  const readPlan = async (id: string, visible: Visible): Promise<PlanRecord | undefined> => {
    const { rows } = await sql<StoredPlanRow>`
      select ${planColumns} from rampart_server.plan where id = ${id} and ${visibleRows(visible, sql`account`)}
    `.execute(db);
    return rows[0] && toPlan(rows[0]);
  };
  return {
    /** Stores a plan as the open one of its account. The one that was open becomes stale. */
    propose: (plan: NewPlan): Promise<{ readonly plan: PlanRecord }> =>
      inTransaction(db, async (transaction) => ({ plan: await proposePlan(transaction, plan, reported) })),

    /** Latest first. */
    async list(query: PlanQuery): Promise<Result<ListPage<PlanRecord>>> {
      const cursor = readCursor(query.cursor, timeKey);
      if (!cursor.ok) return cursor;
      const limit = pageLimit(query.limit);
      const { rows } = await sql<StoredPlanRow>`
        select ${planColumns} from rampart_server.plan
        where ${visibleRows(query.visible, sql`account`)}
          and ${ifGiven(query.account, (account) => sql`account = ${account}`)}
          and ${ifGiven(query.states, (states) => sql`state = any(${states}::text[])`)}
          and ${ifGiven(query.source, (source) => sql`source = ${source}`)}
          and ${ifGiven(query.pullRequest, (pullRequest) => sql`pull_request = ${pullRequest}`)}
          and ${ifGiven(query.text, (text) => sql`concat_ws(' ', account, author, commit, pull_request) ilike ${`%${literally(text)}%`}`)}
          and ${ifGiven(query.risk, (risk) => (risk === 'limit' ? sql`jsonb_array_length(required -> 'numbers') > 0` : sql`irreversible > 0`))}
          and ${ifGiven(cursor.value, (after) => sql`(created_at, id) < (${after[0]}::timestamptz, ${after[1]})`)}
        order by created_at desc, id desc limit ${limit + 1}
      `.execute(db);
      return mapPage(
        toListPage(rows, limit, ({ createdAt, id }) => [createdAt.toISOString(), id]),
        toPlan,
      );
    },

    find: readPlan,

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

    /** Accounts by name, each with what its open plan changes. */
    compared: (query: ComparedQuery): Promise<readonly ComparedAccount[]> => readCompared(db, query),

    /** The plan file. */
    async document(id: string, visible: Visible): Promise<string | undefined> {
      const { rows } = await sql<{ document: Uint8Array }>`
        select document from rampart_server.plan where id = ${id} and ${visibleRows(visible, sql`account`)}
      `.execute(db);
      return rows[0] && unzipText(rows[0].document);
    },

    /** The plan of the same account before this one, or the one of the same source that was applied last. */
    async previous(
      id: string,
      visible: Visible,
      which: 'any' | 'applied' = 'any',
    ): Promise<PlanRecord | undefined> {
      const { rows } = await sql<StoredPlanRow>`
        select ${planColumns} from rampart_server.plan
        where ${visibleRows(visible, sql`account`)} and (account, created_at, id) in (
          select before.account, before.created_at, before.id
          from rampart_server.plan as this join rampart_server.plan as before
            on before.account = this.account and (before.created_at, before.id) < (this.created_at, this.id)
              and (${which === 'any'} or (before.state = 'done' and before.source = this.source))
          where this.id = ${id} order by before.created_at desc, before.id desc limit 1
        )
      `.execute(db);
      return rows[0] && toPlan(rows[0]);
    },

    /** Adds one person's decision about a plan. Whoever has approved it may still reject it. */
    async approve(
      id: string,
      { by, decision, numbers, comment, ticket = null, via }: Omit<StoredApproval, 'at'>,
    ): Promise<PlanRecord | undefined> {
      return inTransaction(db, async (transaction) => {
        await sql`
          insert into rampart_server.approval (plan, subject_key, subject, decision, numbers, comment, ticket, via)
          values (${id}, ${`${by.kind}:${by.id}`}, ${toJson(by)}, ${decision}, ${toJson(numbers)}, ${comment}, ${ticket}, ${via})
          on conflict (plan, subject_key) do update set subject = excluded.subject, at = clock_timestamp(),
            decision = excluded.decision, numbers = excluded.numbers, comment = excluded.comment,
            ticket = excluded.ticket, via = excluded.via
        `.execute(transaction);
        return (await changePlans(transaction, sql`plan.id = ${id}`, {}, reported))[0];
      });
    },

    /** The plans of an account that people rejected, and that have not expired. Latest first. */
    async rejected(account: string): Promise<readonly PlanRecord[]> {
      const { rows } = await sql<StoredPlanRow>`
        select ${planColumns} from rampart_server.plan
        where account = ${account} and state = 'rejected' and expires_at > clock_timestamp()
          and not starts_with(source, ${undoSource})
        order by created_at desc, id desc limit ${mostRejections}
      `.execute(db);
      return rows.map(toPlan);
    },

    /** The accounts with an expired plan that has not begun. */
    async overdue(): Promise<readonly string[]> {
      const { rows } = await sql<{ account: string }>`
        select account from rampart_server.plan
        where state in ('waiting', 'approved') and expires_at <= clock_timestamp()
      `.execute(db);
      return rows.map(({ account }) => account);
    },

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
        where plan.id = ${id} and ${visibleRows(visible, sql`plan.account`)} order by comment.id limit 500
      `.execute(db);
      return rows;
    },

    /** Moves a plan from one of these states; undefined if it was in none of them. */
    async move(
      id: string,
      from: readonly PlanState[],
      to: PlanState,
      reason?: string | null,
    ): Promise<PlanRecord | undefined> {
      const [plan] = await inTransaction(db, (transaction) =>
        changePlans(
          transaction,
          sql`plan.id = ${id} and plan.state = any(${from}::text[])`,
          { state: to, reason },
          reported,
        ),
      );
      return plan;
    },

    /** Records which part of an open plan with approvals is left after a later check. */
    keep: (id: string, later: LaterChecks): Promise<void> =>
      inTransaction(db, (transaction) => writeKept(transaction, reported, id, later)),

    /** Makes a plan that a check replaced the open one of its account again. */
    reopen: (id: string, later: LaterChecks): Promise<void> =>
      inTransaction(db, (transaction) => writeReopened(transaction, reported, id, later)),

    /** Lets a plan expire sooner. */
    async shorten(id: string, expiresAt: Date): Promise<void> {
      await inTransaction(db, (transaction) =>
        changePlans(transaction, sql`plan.id = ${id}`, { expiresAt }, reported),
      );
    },

    /** From now on, checks propose again what people rejected in these accounts. */
    async endRejections(accounts: readonly string[]): Promise<void> {
      await sql`
        update rampart_server.plan set expires_at = date_trunc('milliseconds', clock_timestamp())
        where account = any(${accounts}::text[]) and state = 'rejected' and expires_at > clock_timestamp()
      `.execute(db);
    },
  };
}

/** Why a plan with approvals is kept, although a later check found another one. */
const keptReason = 'a later check found other changes, which wait for the next plan';

/** Records which part of an open plan with approvals is left after a later check. */
async function writeKept(
  transaction: StoreDb,
  reported: ReadonlySet<string>,
  id: string,
  later: LaterChecks,
): Promise<void> {
  const reason = later.leftOut.length + later.authors.length === 0 ? undefined : keptReason;
  await sql`update rampart_server.plan set reason = null where id = ${id} and later is not null`.execute(
    transaction,
  );
  await changePlans(transaction, sql`plan.id = ${id}`, { later, reason }, reported);
}

/** Makes a plan that a check replaced the open one of its account again. */
async function writeReopened(
  transaction: StoreDb,
  reported: ReadonlySet<string>,
  id: string,
  later: LaterChecks,
): Promise<void> {
  await sql`update rampart_server.plan set replaced_by = null where id = ${id}`.execute(transaction);
  const change = { state: 'waiting', later, reason: keptReason } as const;
  await changePlans(transaction, sql`plan.id = ${id}`, change, reported);
}
