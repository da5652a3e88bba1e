import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import { appendAuditWithin } from '../../../run/state/postgres/postgres-audit.ts';
import { toJson } from '../../../run/state/postgres/to-json.ts';
import { coveredStoreOn } from '../../audit/records/covered-store.ts';
import type { StoreDb } from '../../database/tables.ts';
import { isTenantOf } from '../../database/tenant.ts';
import { appendEvents } from '../../events/records/append-events.ts';
import { reportPlans } from './commit-plans.ts';
import {
  isUndo,
  type LaterChecks,
  type NewPlan,
  type PlanRecord,
  type PlanRow,
  type PlanState,
  type PlanVersion,
  planColumns,
  toPlan,
  undoSource,
} from './plan-record.ts';

const zip = promisify(gzip);

/**
 * Stores a plan as the open one of its account. An open plan with the same content stays and is returned, and so does the
 * reversal of a run, which a check does not replace, and a plan with the same changes that someone rejected. Undefined if
 * the open plan is running, a check that began later is written, or the account now belongs to another tenant.
 */
export async function proposePlan(
  transaction: StoreDb,
  plan: NewPlan,
  reported: ReadonlySet<string>,
): Promise<{ plan: PlanRecord; isNew: boolean } | undefined> {
  const document = await zip(plan.document);
  // Two workers that plan for one account propose one after the other.
  const { rows: outdated } = await sql<{ outdated: boolean }>`
    select ${isOutdated(plan)} as outdated from rampart_server.account where name = ${plan.account} for update
  `.execute(transaction);
  if (outdated[0]?.outdated === true) return undefined;
  const { rows: open } = await sql<PlanRow & { readonly isSame: boolean }>`
    select ${planColumns}, (checksum = ${plan.checksum} or content_digest = ${plan.digests?.content ?? null}) as "isSame"
    from rampart_server.plan
    where account = ${plan.account} and state in ('waiting', 'approved', 'running') for update of plan
  `.execute(transaction);
  if (open[0] !== undefined) {
    const { isSame, ...earlier } = open[0];
    if (isSame === true && (earlier.state === 'running' || stays(earlier, plan)))
      return { plan: await shortened(transaction, earlier, plan, reported), isNew: false };
    if (earlier.state === 'running') return undefined;
    if (isUndo(earlier) && !isUndo(plan)) return { plan: toPlan(earlier), isNew: false };
  }
  if (plan.replaces !== undefined && !isVersion(open[0], plan.replaces)) return undefined;
  // After the lock of the open plan: whoever was rejecting it has done so.
  const rejected = isUndo(plan) ? undefined : await rejectedPlan(transaction, plan);
  const id = rejected?.id ?? randomUUID();
  if (open[0] !== undefined)
    await changePlans(
      transaction,
      sql`plan.id = ${open[0].id}`,
      rejected === undefined
        ? { state: 'stale', reason: 'a newer plan replaced it', replacedBy: id }
        : { state: 'stale', reason: 'the desired state is again what someone rejected' },
      reported,
    );
  if (rejected !== undefined) return { plan: rejected, isNew: false };
  const { rows } = await sql<PlanRow>`
    insert into rampart_server.plan (id, account, checksum, change_digest, content_digest, document, review, state,
      source, commit, author, pull_request, expires_at, counts, changes, irreversible, calls, required, reason)
    values (${id}, ${plan.account}, ${plan.checksum}, ${plan.digests?.changes ?? null},
      ${plan.digests?.content ?? null}, ${document}, ${toJson(plan.review)}, ${plan.state},
      ${plan.source}, ${plan.commit}, ${plan.author}, (
        select pull_request from rampart_server.plan
        where source = ${plan.source} and commit = ${plan.commit} and pull_request is not null limit 1
      ), ${plan.expiresAt.toISOString()}::timestamptz,
      ${toJson(plan.counts)}, ${plan.changes}, ${plan.irreversible}, ${plan.calls}, ${toJson({ ...plan.required, ...earlierAuthors(open[0] ?? (await decidedBefore(transaction, plan)), plan) })},
      ${plan.reason ?? null})
    returning ${planColumns}
  `.execute(transaction);
  const stored = toPlan(rows[0] as PlanRow);
  await appendEvents(transaction, [eventOf(stored)]);
  await reportPlans(transaction, [stored], reported);
  if (stored.state === 'approved') await recordApproval(transaction, stored);
  return { plan: stored, isNew: true };
}

/** Without this record, `audit verify` could not tell a plan within the limits from one that someone set to approved. */
async function recordApproval(transaction: StoreDb, { id, account, checksum }: PlanRecord): Promise<void> {
  const covered = await coveredStoreOn(transaction).digestsOf(new Map([['plan', [id]]]));
  await appendAuditWithin(transaction.$extendTables(), [
    {
      kind: 'plan-approved',
      origin: { actor: 'rampart', host: hostname(), command: 'server' },
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

type Authored = Pick<PlanRow, 'source' | 'author' | 'required' | 'state' | 'later'>;

/** Whether the open plan is the one that the caller read, with the same approvals. */
function isVersion(open: PlanRow | undefined, read: PlanVersion | null): boolean {
  if (open === undefined || read === null) return open === undefined && read === null;
  return open.id === read.id && open.state === read.state && open.approvals.length === read.approvals.length;
}

/** The plan before this one, if none is open. */
async function decidedBefore(transaction: StoreDb, { account }: NewPlan): Promise<Authored | undefined> {
  const { rows } = await sql<Authored>`
    select source, author, required, state, later from rampart_server.plan
    where account = ${account} order by created_at desc, id desc limit 1
  `.execute(transaction);
  return rows[0];
}

/**
 * Whoever wrote an open plan may not become its approver because someone else's edit made a new plan of it, and whoever
 * wrote what an approved plan left to the next one may not approve that. The reversal of a run has none of the changes.
 */
function earlierAuthors(
  before: Authored | undefined,
  plan: NewPlan,
): Pick<NewPlan['required'], 'earlierAuthors'> {
  if (before === undefined || isUndo(before) || isUndo(plan)) return {};
  const { earlierAuthors: earlier = [] } = before.required;
  const isOpen = before.state === 'waiting' || before.state === 'approved';
  const own = before.author === null ? earlier : [...earlier, before.author];
  const authors = new Set([...(isOpen ? own : []), ...(before.later?.authors ?? [])]);
  return authors.size === 0 ? {} : { earlierAuthors: [...authors].slice(-mostAuthors) };
}

/**
 * The plan of the account that someone rejected, whose time has not passed, and that would change the same, whatever was
 * proposed after it. Whoever rejected the reversal of a run said nothing about the desired state.
 */
async function rejectedPlan(
  transaction: StoreDb,
  { account, checksum, digests, beganAt }: NewPlan,
): Promise<PlanRecord | undefined> {
  const { rows } = await sql<PlanRow>`
    select ${planColumns} from rampart_server.plan
    where account = ${account} and state = 'rejected' and not starts_with(source, ${undoSource})
      and (checksum = ${checksum} or change_digest = ${digests?.changes ?? null})
      and expires_at > coalesce(${beganAt?.toISOString() ?? null}::timestamptz, clock_timestamp())
    order by created_at desc, id desc limit 1
  `.execute(transaction);
  return rows[0] && toPlan(rows[0]);
}

/** Whether an open plan with the same content serves as well as the new one. */
function stays(earlier: PlanRow, now: NewPlan): boolean {
  return Date.now() < earlier.expiresAt.getTime() && isEnough(toPlan(earlier), now);
}

/** An open plan that has not begun expires as soon as plans do now. */
async function shortened(
  transaction: StoreDb,
  earlier: PlanRow,
  plan: NewPlan,
  reported: ReadonlySet<string>,
): Promise<PlanRecord> {
  const until = earlier.state === 'running' ? undefined : shorterExpiry(earlier, plan);
  if (until === undefined) return toPlan(earlier);
  const [changed] = await changePlans(
    transaction,
    sql`plan.id = ${earlier.id}`,
    { expiresAt: until },
    reported,
  );
  return changed ?? toPlan(earlier);
}

/** Whether a check of the account is written that began after this one, or the account now belongs to another tenant. */
export function isOutdated({ beganAt, tenant }: Pick<NewPlan, 'beganAt' | 'tenant'>): RawBuilder<boolean> {
  const began = beganAt?.toISOString() ?? null;
  return sql`(not ${isTenantOf(tenant)} or coalesce(account.check_began_at > ${began}::timestamptz
    and account.check_began_at <= clock_timestamp(), false))`;
}

/** A difference that the time of the check explains, in milliseconds. */
const sameMs = 60_000;

/** When an open plan expires if plans expire sooner after their creation than when it was made. */
function shorterExpiry({ createdAt, expiresAt }: PlanRow, now: NewPlan): Date | undefined {
  const until = createdAt.getTime() + (now.expiresAt.getTime() - Date.now());
  return until < expiresAt.getTime() - sameMs ? new Date(until) : undefined;
}

/** Whether an open plan requires as much as the same plan would now. The settings may have become stricter meanwhile. */
function isEnough({ state, reason, approvals, required }: PlanRecord, now: NewPlan): boolean {
  // The reason for the hold no longer applies.
  if (state === 'waiting' && reason !== null && now.state === 'approved') return false;
  if (state === 'approved' && approvals.length === 0 && now.state === 'waiting') return false;
  return required.approvals >= now.required.approvals && (required.notAuthor || !now.required.notAuthor);
}

/** Changes the plans that a condition selects, appends an event for each, and queues reports of their commits. */
export async function changePlans(
  transaction: StoreDb,
  condition: RawBuilder<unknown>,
  change: {
    readonly state?: PlanState;
    readonly reason?: string | undefined;
    readonly replacedBy?: string;
    readonly expiresAt?: Date;
    readonly pullRequest?: string;
    readonly later?: LaterChecks;
  },
  reported: ReadonlySet<string>,
): Promise<readonly PlanRecord[]> {
  const { rows } = await sql<PlanRow>`
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
