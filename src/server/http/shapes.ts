import type { AccountRow, ShownPause } from '../../api/accounts.ts';
import { grant, type ShownGrant } from '../../api/overview.ts';
import type { PlanRow, RehearsalDetail } from '../../api/plans.ts';
import { type RunRow, runRow } from '../../api/runs.ts';
import type { TokenRow } from '../../api/settings.ts';
import { defined } from '../../core/lib/defined.ts';
import { holdWords } from '../accounts/decisions/hold.ts';
import { whomItWaitsFor } from '../accounts/decisions/waiting-for.ts';
import type { AccountRecord } from '../accounts/records/account-record.ts';
import type { PlanRecord } from '../plans/records/plans.ts';
import type { RehearsalRecord } from '../plans/records/rehearsals.ts';
import { type ServerRun, unprovenOf } from '../runs/records/runs.ts';
import type { TokenRecord } from '../sign-in/records/tokens.ts';
import type { Answered } from './route.ts';

/** Records of the store in the shapes of the API. */

export function toAccountRow(
  account: AccountRecord,
  pause: Answered<ShownPause> | null,
): Answered<AccountRow> {
  const { failure, plan } = account;
  return {
    name: account.name,
    company_id: account.companyId,
    service: account.service,
    labels: account.labels,
    mode: account.mode,
    health: account.health,
    waiting_for: whomItWaitsFor({ ...account, isPaused: pause !== null }),
    since: account.since,
    hosts: account.hosts,
    drifted: account.drifted,
    plan: plan && {
      id: plan.id,
      checksum: plan.checksum,
      changes: plan.changes,
      irreversible: plan.irreversible,
    },
    run: account.run,
    commit: account.commit,
    last_check_at: account.lastCheckAt,
    next_check_at: account.nextCheckAt,
    failure:
      failure === null
        ? null
        : {
            since: failure.since,
            attempts: failure.attempts,
            code: failure.code,
            message: failure.message,
            ...defined({ hint: failure.hint, place: failure.place, retry_at: failure.retryAt }),
          },
    hold: holdOf(account),
    pause,
  };
}

function holdOf({ hold, mode }: AccountRecord): AccountRow['hold'] {
  if (hold === null || mode !== 'correct') return null;
  const { kind, run, at } = hold;
  return { kind, run, at, reason: holdWords(hold) };
}

export function toPlanRow(
  plan: PlanRecord,
  mayApprove: PlanRow['may_approve'],
  approvers: PlanRow['required']['approvers'],
): Answered<PlanRow> {
  return {
    id: plan.id,
    account: plan.account,
    checksum: plan.checksum,
    state: plan.state,
    reason: plan.reason,
    replaced_by: plan.replacedBy,
    source: plan.source,
    commit: plan.commit,
    author: plan.author,
    pull_request: plan.pullRequest,
    created_at: plan.createdAt,
    expires_at: plan.expiresAt,
    counts: plan.counts,
    changes: plan.changes,
    irreversible: plan.irreversible,
    calls: plan.calls,
    required: {
      approvals: plan.required.approvals,
      not_author: plan.required.notAuthor,
      numbers: plan.required.numbers.map(({ limit, value, allowed }) => ({ limit, value, allowed })),
      approvers,
    },
    approvals: plan.approvals.map(({ by, at, decision, numbers, comment, ticket, via }) => ({
      by,
      at,
      decision,
      numbers,
      ...(comment === null ? {} : { comment }),
      ...(typeof ticket === 'string' ? { ticket } : {}),
      via,
    })),
    may_approve: mayApprove,
  };
}

export function toRunRow(run: ServerRun): Answered<RunRow> {
  return {
    id: run.id,
    account: run.account,
    plan: run.plan,
    state: run.state,
    by: run.by,
    reason: run.reason,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    exit_code: run.exitCode,
    steps: run.steps,
    ...unprovenOf(run),
    waits_for: waitOf(run),
    override: run.override,
  };
}

/** A worker of another version may have written something else. */
function waitOf({ state, progress }: ServerRun): RunRow['waits_for'] {
  const read = runRow.shape.waits_for.safeParse(state === 'queued' ? progress['waits_for'] : null);
  return read.success ? read.data : null;
}

export function toTokenRow({ grants, ...token }: TokenRecord): Answered<TokenRow> {
  return { ...token, grants: toGrants(grants) };
}

/** The store keeps grants as it was given them. */
function toGrants(grants: readonly unknown[]): ShownGrant[] {
  return grants.flatMap((each) => {
    const read = grant.safeParse(each);
    return read.success ? [read.data] : [];
  });
}

export function toRehearsal({
  result,
  plan: _plan,
  account: _account,
  ...rehearsal
}: RehearsalRecord): Answered<RehearsalDetail> {
  const { runs = [], findings = [], more = 0, failure = null } = result ?? {};
  return {
    ...rehearsal,
    converged: rehearsal.state === 'done' ? runs.every(({ converged }) => converged) : null,
    runs,
    findings,
    more_findings: more,
    failure:
      failure === null
        ? null
        : { code: failure.code, message: failure.message, ...defined({ hint: failure.hint }) },
  };
}
