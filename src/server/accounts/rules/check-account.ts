import { blockedBy } from '../../../accounts/approvals/requirements.ts';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { type AccountCheck, checkAccount } from '../../../accounts/engine/check-account.ts';
import type { EngineParts } from '../../../accounts/engine/engine-parts.ts';
import { openAccount } from '../../../accounts/engine/open-account.ts';
import { ownTurn } from '../../../accounts/engine/own-turn.ts';
import { createRedaction, type Redaction } from '../../../accounts/engine/redaction.ts';
import { unforeseen } from '../../../accounts/engine/unforeseen.ts';
import { isEmpty, type Plan } from '../../../core/plan/types/plan.ts';
import type { Problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { Tenant } from '../../database/tenant.ts';
import { isUndo } from '../../plans/records/plan-record.ts';
import { type Proposed, proposeCheckedPlan } from '../../plans/rules/propose-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed } from '../../settings/account-named.ts';
import { toTenant } from '../../settings/account-service.ts';
import type { LoadedDesired } from '../../sources/rules/desired-states.ts';
import { dueAt } from '../decisions/due.ts';
import { pauseOf } from '../decisions/pauses.ts';
import type { AccountRecord, FoundAccount } from '../records/account-record.ts';
import type { CauseOrigin, CheckWritten } from '../records/check-record.ts';
import { detailOf } from './account-detail.ts';
import { causeOfFailure, failureOf, incompleteList, recordOf } from './check-result.ts';
import { engineOf } from './engine-of.ts';
import { healthOf, ignoredIn } from './health-of-check.ts';
import { heldPlan } from './hold.ts';

interface Checked {
  readonly check: AccountCheck;
  readonly loaded: LoadedDesired;
}

/**
 * Checks one account: reads its fleet, compares it with the desired state, writes what differs, and proposes a plan or
 * queues its run, as the mode of the account says. Null if the account is no longer configured, a newer configuration gave
 * its name to another tenant, a run of it is in progress, which ends with a check, or the check was stopped before its end.
 * Rejects only if the database fails.
 */
export async function checkAccountJob(
  name: string,
  parts: JobParts,
  signal: AbortSignal,
): Promise<CheckWritten | null> {
  const account = accountNamed(parts.settings, name);
  if (account === undefined) return null;
  const known = await parts.store.accounts.find(name, 'all');
  if (known === undefined) return null;
  if (!isSame(known, toTenant(account, parts.env))) {
    parts.onOtherTenant?.(name);
    return null;
  }
  if (await isInRun(known, parts)) return null;
  const redaction = createRedaction();
  let rateLimited = 0;
  const engine = engineOf(account, parts, redaction, signal, () => (rateLimited += 1));
  const checked = await read(account, known, parts, engine);
  // A worker that is stopped leaves the account to the next check: being stopped is no failure of the account.
  if (!checked.ok && signal.aborted) return null;
  return checked.ok
    ? record(account, checked.value, parts, { known, redaction, rateLimited })
    : recordFailure(account, checked.problems, parts, { known, redaction, rateLimited });
}

function isSame(a: Tenant, b: Tenant): boolean {
  return a.companyId === b.companyId && a.service === b.service;
}

/** A check in the middle of a run would see half of its changes, and take the lists that the run needs. */
async function isInRun({ run: id }: AccountRecord, { store }: JobParts): Promise<boolean> {
  const run = id === null ? undefined : await store.runs.find(id, 'all');
  return run?.state === 'running' || run?.state === 'stopping';
}

async function read(
  account: AccountConfig,
  known: AccountRecord,
  { desired }: JobParts,
  engine: EngineParts,
): Promise<Result<Checked>> {
  const loaded = await desired.load(account);
  if (!loaded.ok) return loaded;
  const connection = await openAccount(account, engine);
  if (!connection.ok) return connection;
  try {
    const check = await checkAccount(connection.value, loaded.value.desired, account, engine);
    if (!check.ok) return check;
    const problems = incompleteList(check.value, loaded.value.desired, known.hosts ?? 0);
    return problems.length > 0 ? failed(...problems) : ok({ check: check.value, loaded: loaded.value });
  } catch (error) {
    return failed(unforeseen(error));
  } finally {
    await connection.value.close();
  }
}

interface Noted {
  /** The account before this check. */
  readonly known: FoundAccount;
  readonly redaction: Redaction;
  readonly rateLimited: number;
}

/** What keeps this check from replacing a later one, or what is known about another tenant. */
function began({ readAt, companyId, service }: FoundAccount) {
  return { beganAt: readAt, tenant: { companyId, service } };
}

async function record(
  account: AccountConfig,
  { check, loaded }: Checked,
  parts: JobParts,
  { known, redaction, rateLimited }: Noted,
): Promise<CheckWritten> {
  const { store, clock } = parts;
  const { plan } = check;
  const isPaused = await isPausedNow(account, known, plan, parts);
  await ownTurn();
  const blocked = blockedBy(plan);
  const { hold, plan: openNow } = await current(known, plan, parts);
  // A hold is over once the desired state changes, or once the fleet is as desired. This check does not know that of a
  // hold that is newer than itself.
  const isNewer = hold !== null && (hold.run !== known.hold?.run || hold.at !== known.hold.at);
  const isOver = !isNewer && (hold?.commit !== loaded.commit || isEmpty(plan));
  if (hold !== null && isOver) await store.accounts.setHold([account.name], null, began(known).tenant);
  const held =
    !isOver && !isEmpty(plan) && account.mode === 'correct'
      ? heldPlan(account.name, hold, { now: clock.now(), cadenceMs: parts.settings.cadenceMs })
      : undefined;
  const { open, refusal }: Proposed =
    blocked === null
      ? await proposeCheckedPlan(
          plan,
          account,
          {
            ...loaded,
            ...began(known),
            isPaused,
            held,
            hasOpen: openNow !== null,
            wasConverged: known.health === 'converged',
          },
          parts,
        )
      : await withdraw(account, known, parts, blocked);
  // An account without changes has no run; that spares most checks a query.
  const run = isEmpty(plan) ? null : ((await store.accounts.find(account.name, 'all'))?.run ?? null);
  const isUndoOpen = isUndo(open);
  const failure =
    blocked !== null
      ? failureOf(plan.problems, redaction.redact)
      : refusal !== undefined
        ? failureOf([refusal], redaction.redact)
        : ((isUndoOpen || run !== null ? undefined : held?.failure) ?? null);
  const isIgnored = ignoredIn(check.drift.length === 0 ? [] : await store.ignores.of(account.name));
  const shown = recordOf(check, isIgnored);
  const isInDoubt = blocked === null && hold?.isInDoubt === true;
  const origin = await originOf(check, loaded, known, parts);
  return store.accounts.recordCheck({
    account: account.name,
    ...began(known),
    ...(origin === undefined ? {} : { origin }),
    health:
      failure === null
        ? healthOf(check, open, { isRunning: run !== null, isPaused, isIgnored })
        : isInDoubt
          ? 'in_doubt'
          : 'failing',
    ...shown,
    causes:
      failure === null ? shown.causes : [...shown.causes, causeOfFailure(failure, plan.account.service)],
    commit: loaded.commit,
    failure,
    nextCheckAt: nextCheck(account.name, failure === null ? 0 : 1, parts),
    rateLimited,
    detail: detailOf(
      check,
      loaded.desired,
      { account, server: parts.settings },
      new Date(clock.now()).toISOString(),
    ),
  });
}

/** Without changes, a pause only shows. If it began during this check, the next tick shows it; most checks spare the query. */
async function isPausedNow(
  account: AccountConfig,
  { hasPauses }: FoundAccount,
  plan: Plan,
  { store, clock }: JobParts,
): Promise<boolean> {
  if (isEmpty(plan) && !hasPauses) return false;
  return pauseOf(await store.pauses.list(), account, clock.now()) !== undefined;
}

/** A run may have ended, and someone may have undone one, while this check read the fleet. Most checks spare the query. */
async function current(known: FoundAccount, plan: Plan, { store }: JobParts): Promise<AccountRecord> {
  if (isEmpty(plan) && known.hold === null) return known;
  return (await store.accounts.find(known.name, 'all')) ?? known;
}

/**
 * Who is behind differences that the fleet did not begin. If the desired state is that of the last check, which found no
 * difference, then a run left them that applied something else, such as the reversal of another run.
 */
async function originOf(
  { drift, plan }: AccountCheck,
  { commit, author }: LoadedDesired,
  known: AccountRecord,
  { state }: JobParts,
): Promise<CauseOrigin | undefined> {
  if (!drift.some(({ changed }) => changed === 'file')) return undefined;
  if (known.commit === commit && known.drifted === 0) {
    const runs = await state.listRuns({ account: plan.account, limit: 1 });
    const run = runs.ok ? runs.value[0]?.head : undefined;
    if (run !== undefined) return { kind: 'run', id: run.run_id, name: run.origin?.actor ?? null };
  }
  return { kind: 'commit', id: commit, name: author };
}

/** A plan with errors can't be approved, and neither can an older one that no longer fits. */
async function withdraw(
  { name }: AccountConfig,
  known: FoundAccount,
  { store }: JobParts,
  why: string,
): Promise<Proposed> {
  await store.plans.makeStale(name, `the plan can't be applied: ${why}`, began(known));
  return {};
}

async function recordFailure(
  account: AccountConfig,
  problems: readonly Problem[],
  parts: JobParts,
  { known, redaction, rateLimited }: Noted,
): Promise<CheckWritten> {
  const failure = failureOf(problems, redaction.redact);
  return parts.store.accounts.recordCheck({
    account: account.name,
    ...began(known),
    health: 'failing',
    causes: [causeOfFailure(failure, known.service)],
    commit: known.commit,
    changes: known.plan?.changes ?? 0,
    irreversible: known.plan?.irreversible ?? 0,
    failure,
    nextCheckAt: nextCheck(account.name, (known.failure?.attempts ?? 0) + 1, parts),
    rateLimited,
  });
}

/** After a failure, later each time. */
function nextCheck(name: string, attempts: number, { clock, settings }: JobParts): Date {
  return new Date(dueAt({ name, lastCheckAt: clock.now(), attempts }, settings.cadenceMs));
}
