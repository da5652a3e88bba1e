import type { AccountRow, Cause, DriftRow, ShownPause } from '../../api/accounts.ts';
import type { HostListRow } from '../../api/hosts.ts';
import type { Ignore } from '../../api/ignores.ts';
import { grant, type ShownGrant } from '../../api/overview.ts';
import type { PlanRow, RehearsalDetail } from '../../api/plans.ts';
import { type RunRow, runRow } from '../../api/runs.ts';
import type { TokenRow } from '../../api/settings.ts';
import { holdWords } from '../accounts/decisions/hold.ts';
import { whomItWaitsFor } from '../accounts/decisions/waiting-for.ts';
import type { AccountRecord } from '../accounts/records/account-record.ts';
import type { CauseRecord } from '../accounts/records/causes.ts';
import type { PauseRecord } from '../accounts/records/pauses.ts';
import type { DriftRecord, HostRecord } from '../hosts/records/hosts.ts';
import type { IgnoreRecord } from '../hosts/records/ignores.ts';
import type { PlanRecord } from '../plans/records/plans.ts';
import type { RehearsalRecord } from '../plans/records/rehearsals.ts';
import { type ServerRun, unprovenOf } from '../runs/records/runs.ts';
import type { TokenRecord } from '../sign-in/records/tokens.ts';

/** Records of the store in the shapes of the API. */

export function apiTime(at: Date): string {
  return at.toISOString();
}

export function timeOrNull(at: Date | null): string | null {
  return at === null ? null : at.toISOString();
}

/** A record of the store in which a value is null, as an object in which it is absent. */
function withoutNulls<T extends object>(given: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null && value !== undefined),
  ) as {
    [Key in keyof T]?: NonNullable<T[Key]>;
  };
}

export function toAccountRow(account: AccountRecord, pause: ShownPause | null): AccountRow {
  const { failure, plan } = account;
  return {
    name: account.name,
    company_id: account.companyId,
    service: account.service,
    labels: { ...account.labels },
    mode: account.mode,
    health: account.health,
    waiting_for: whomItWaitsFor({ ...account, isPaused: pause !== null }),
    since: timeOrNull(account.since),
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
    last_check_at: timeOrNull(account.lastCheckAt),
    next_check_at: timeOrNull(account.nextCheckAt),
    failure:
      failure === null
        ? null
        : {
            since: failure.since,
            attempts: failure.attempts,
            code: failure.code,
            message: failure.message,
            ...withoutNulls({ hint: failure.hint, place: failure.place, retry_at: failure.retryAt }),
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

export function toCause({ rule, place, since, by, ...cause }: CauseRecord): Cause {
  return {
    id: cause.id,
    kind: cause.kind,
    title: cause.title,
    hosts: cause.kind === 'assets' ? 0 : cause.hosts,
    ...(cause.kind === 'assets' ? { assets: cause.hosts } : {}),
    accounts: cause.accounts,
    ...withoutNulls({ rule, place, by }),
    since: apiTime(since),
  };
}

export function toHostRow(host: HostRecord): HostListRow {
  return {
    account: host.account,
    host_id: host.hostId,
    name: host.name,
    group: host.group,
    state: host.state,
    drifted: host.drifted,
    seen_at: apiTime(host.seenAt),
    ...(host.matched === undefined ? {} : { matched: host.matched }),
  };
}

export function toDriftRow(drift: DriftRecord): DriftRow {
  return {
    account: drift.account,
    host_id: drift.hostId,
    name: drift.name,
    attribute: drift.attribute,
    desired: drift.desired,
    last: drift.last,
    live: drift.live,
    changed: drift.changed,
    since: apiTime(drift.since),
    cause: drift.cause,
    ignored: drift.ignored,
  };
}

export function toIgnore(ignore: IgnoreRecord): Ignore {
  return {
    id: ignore.id,
    account: ignore.account,
    host_id: ignore.hostId,
    name: ignore.name,
    attribute: ignore.attribute,
    live: ignore.live,
    reason: ignore.reason,
    by: { ...ignore.by },
    at: apiTime(ignore.at),
    until: apiTime(ignore.until),
  };
}

export function toPause({ id, scope, by, reason, at, until }: PauseRecord): ShownPause {
  return {
    id,
    scope,
    by: { ...by },
    reason,
    at: apiTime(at),
    ...(until === null ? {} : { until: apiTime(until) }),
  };
}

export function toPlanRow(
  plan: PlanRecord,
  mayApprove: PlanRow['may_approve'],
  approvers: PlanRow['required']['approvers'],
): PlanRow {
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
    created_at: apiTime(plan.createdAt),
    expires_at: apiTime(plan.expiresAt),
    counts: { ...plan.counts },
    changes: plan.changes,
    irreversible: plan.irreversible,
    calls: plan.calls,
    required: {
      approvals: plan.required.approvals,
      not_author: plan.required.notAuthor,
      numbers: plan.required.numbers.map(({ limit, value, allowed }) => ({ limit, value, allowed })),
      approvers: [...approvers],
    },
    approvals: plan.approvals.map(({ by, at, decision, numbers, comment, ticket, via }) => ({
      by: { ...by },
      at: apiTime(at),
      decision,
      numbers: { ...numbers },
      ...(comment === null ? {} : { comment }),
      ...(typeof ticket === 'string' ? { ticket } : {}),
      via,
    })),
    may_approve: mayApprove,
  };
}

export function toRunRow(run: ServerRun): RunRow {
  return {
    id: run.id,
    account: run.account,
    plan: run.plan,
    state: run.state,
    by: run.by === null ? null : { ...run.by },
    reason: run.reason,
    started_at: timeOrNull(run.startedAt),
    ended_at: timeOrNull(run.endedAt),
    exit_code: run.exitCode,
    steps: { ...run.steps },
    ...unprovenOf(run),
    waits_for: waitOf(run),
    override: run.override === null ? null : { ...run.override, by: { ...run.override.by } },
  };
}

/** A worker of another version may have written something else. */
function waitOf({ state, progress }: ServerRun): RunRow['waits_for'] {
  const read = runRow.shape.waits_for.safeParse(state === 'queued' ? progress['waits_for'] : null);
  return read.success ? (read.data ?? null) : null;
}

export function toTokenRow(token: TokenRecord): TokenRow {
  return {
    id: token.id,
    name: token.name,
    grants: toGrants(token.grants),
    created_by: { ...token.createdBy },
    created_at: apiTime(token.createdAt),
    expires_at: apiTime(token.expiresAt),
    revoked_at: timeOrNull(token.revokedAt),
    last_used_at: timeOrNull(token.lastUsedAt),
  };
}

/** The store keeps grants as it was given them. */
function toGrants(grants: readonly unknown[]): ShownGrant[] {
  return grants.flatMap((each) => {
    const read = grant.safeParse(each);
    return read.success ? [read.data] : [];
  });
}

export function toRehearsal({ state, by, askedAt, endedAt, result }: RehearsalRecord): RehearsalDetail {
  const { runs = [], findings = [], more = 0, failure = null } = result ?? {};
  return {
    state,
    by: { ...by },
    asked_at: apiTime(askedAt),
    ended_at: timeOrNull(endedAt),
    converged: state === 'done' ? runs.every(({ converged }) => converged) : null,
    runs: [...runs],
    findings: [...findings],
    more_findings: more,
    failure:
      failure === null
        ? null
        : { code: failure.code, message: failure.message, ...withoutNulls({ hint: failure.hint }) },
  };
}
