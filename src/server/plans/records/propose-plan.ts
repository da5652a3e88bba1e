import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type RawBuilder, sql } from 'kysely';
import { hasNotBegun, type PlanState } from '../../../api/states.ts';
import { zipText } from '../../../run/state/journal/zip-text.ts';
import { auditAtEnd, toJson } from '../../../run/state/postgres/in-transaction.ts';
import { coveredStoreOn } from '../../audit/records/covered-store.ts';
import { type StoreDb, statesOfOpenPlans } from '../../database/query.ts';
import { appendEvents } from '../../events/records/append-events.ts';
import { isUndo, type LaterChecks } from '../decisions/stored-plan.ts';
import { reportPlans } from './commit-plans.ts';
import { type NewPlan, type PlanRecord, planColumns, type StoredPlanRow, toPlan } from './plan-record.ts';

/** Stores a plan as the open one of its account. The one that was open becomes stale. */
export async function proposePlan(
  transaction: StoreDb,
  plan: NewPlan,
  reported: ReadonlySet<string>,
): Promise<PlanRecord> {
  const document = await zipText(plan.document);
  await sql`select name from rampart_server.account where name = ${plan.account} for update`.execute(
    transaction,
  );
  const id = plan.id ?? randomUUID();
  const before = await latestPlan(transaction, plan);
  await changePlans(
    transaction,
    sql`plan.account = ${plan.account} and plan.state in ('waiting', 'approved')`,
    { state: 'stale', reason: 'a newer plan replaced it', replacedBy: id },
    reported,
  );
  const { rows } = await sql<StoredPlanRow>`
    insert into rampart_server.plan (id, account, checksum, change_digest, content_digest, document, signature, review, state,
      source, commit, author, pull_request, expires_at, counts, changes, irreversible, calls, required, reason)
    values (${id}, ${plan.account}, ${plan.checksum}, ${plan.digests?.changes ?? null},
      ${plan.digests?.content ?? null}, ${document}, ${plan.signature ?? null},
      ${toJson(plan.shape)}, ${plan.state},
      ${plan.source}, ${plan.commit}, ${plan.author}, (
        select pull_request from rampart_server.plan
        where source = ${plan.source} and commit = ${plan.commit} and pull_request is not null limit 1
      ), ${plan.expiresAt.toISOString()}::timestamptz,
      ${toJson(plan.counts)}, ${plan.changes}, ${plan.irreversible}, ${plan.calls}, ${toJson({ ...plan.required, ...earlierAuthors(before, plan) })},
      ${plan.reason ?? null})
    returning ${planColumns}
  `.execute(transaction);
  const stored = toPlan(rows[0] as StoredPlanRow);
  await appendEvents(transaction, [eventOf(stored)]);
  await reportPlans(transaction, [stored], reported);
  if (stored.state === 'approved') await recordApproval(transaction, stored);
  return stored;
}

/**
 * Without this record, `audit verify` could not distinguish a plan within the limits from one that someone set to
 * approved.
 */
async function recordApproval(transaction: StoreDb, { id, account, checksum }: PlanRecord): Promise<void> {
  const covered = await coveredStoreOn(transaction).digestsOf(new Map([['plan', [id]]]));
  auditAtEnd(transaction, [
    {
      kind: 'plan-approved',
      origin: { actor: 'Rampart Server', host: hostname(), command: 'server' },
      what: {
        plan: id,
        account,
        checksum,
        via: 'limits',
        given: 0,
        required: 0,
        covers: covered.ok ? Object.fromEntries(covered.value) : {},
      },
    },
  ]);
}

/** Each plan repeats the authors of those before it. */
const mostAuthors = 200;

type Authored = Pick<StoredPlanRow, 'source' | 'author' | 'required' | 'state' | 'later'>;

/** The open plan, or the one before this one. */
async function latestPlan(transaction: StoreDb, { account }: NewPlan): Promise<Authored | undefined> {
  const { rows } = await sql<Authored>`
    select source, author, required, state, later from rampart_server.plan
    where account = ${account}
    order by state in (${statesOfOpenPlans}) desc, created_at desc, id desc limit 1
  `.execute(transaction);
  return rows[0];
}

/**
 * The author of an open plan must not become its approver because someone else's edit made a new plan with it, and the
 * author of changes that an approved plan left to the next one must not approve that. The reversal of a run has none of
 * the changes.
 */
function earlierAuthors(
  before: Authored | undefined,
  plan: NewPlan,
): Pick<NewPlan['required'], 'earlierAuthors'> {
  if (before === undefined || isUndo(before) || isUndo(plan)) return {};
  const { earlierAuthors: earlier = [] } = before.required;
  const own = before.author === null ? earlier : [...earlier, before.author];
  const authors = new Set([...(hasNotBegun(before.state) ? own : []), ...(before.later?.authors ?? [])]);
  return authors.size === 0 ? {} : { earlierAuthors: [...authors].slice(-mostAuthors) };
}

/** Changes the plans that a condition selects, appends an event for each, and queues reports of their commits. */
export async function changePlans(
  transaction: StoreDb,
  condition: RawBuilder<unknown>,
  change: {
    readonly state?: PlanState;
    readonly reason?: string | null | undefined;
    readonly replacedBy?: string;
    readonly expiresAt?: Date;
    readonly pullRequest?: string;
    readonly later?: LaterChecks;
  },
  reported: ReadonlySet<string>,
): Promise<readonly PlanRecord[]> {
  const { rows } = await sql<StoredPlanRow>`
    update rampart_server.plan set state = coalesce(${change.state ?? null}, state),
      reason = coalesce(${change.reason ?? null}, reason),
      expires_at = coalesce(${change.expiresAt?.toISOString() ?? null}::timestamptz, expires_at),
      replaced_by = coalesce(${change.replacedBy ?? null}, replaced_by),
      pull_request = coalesce(${change.pullRequest ?? null}, pull_request),
      later = coalesce(nullif(${toJson(change.later)}, 'null'::jsonb), later),
      decided_at = case when ${change.state === undefined} then decided_at else clock_timestamp() end
    where ${condition} returning ${planColumns}
  `.execute(transaction);
  const plans = rows.map(toPlan);
  await appendEvents(transaction, plans.map(eventOf));
  await reportPlans(transaction, plans, reported);
  return plans;
}

function eventOf({ id, account, state }: PlanRecord) {
  return { type: 'plan.changed', account, resource: id, data: { state } } as const;
}
