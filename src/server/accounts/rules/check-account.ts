import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { type AccountCheck, checkAccount } from '../../../accounts/engine/check-account.ts';
import type { EngineParts } from '../../../accounts/engine/engine-parts.ts';
import { openAccount } from '../../../accounts/engine/open-account.ts';
import { unforeseen } from '../../../accounts/engine/unforeseen.ts';
import { createRedaction, type Redaction } from '../../../core/lib/redaction.ts';
import { equalAccounts } from '../../../core/model/account.ts';
import { withAllowedDeletions } from '../../../core/plan/allowed-deletions.ts';
import { isEmpty, type Plan } from '../../../core/plan/types/plan.ts';
import { failed, ok, type Problem, type Result } from '../../../core/problem/problem.ts';
import type { StoredApproval } from '../../plans/decisions/stored-plan.ts';
import { acksOfApprovals, lastingRefusal } from '../../plans/rules/approved-plan.ts';
import { freshPlan } from '../../plans/rules/new-plan.ts';
import { digestsOf } from '../../plans/rules/plan-digests.ts';
import { signingRefusal } from '../../plans/rules/signed-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { withoutTime } from '../../runs/rules/run-windows.ts';
import { accountNamed, toTenant } from '../../settings/configured-account.ts';
import type { LoadedDesired } from '../../sources/rules/desired-states.ts';
import type { AccountState, Failure } from '../decisions/account-state.ts';
import type { AccountRecord, FoundAccount } from '../records/account-record.ts';
import type { CauseOrigin, CheckWritten } from '../records/check-record.ts';
import { detailOf } from './account-detail.ts';
import { causeOfFailure, checkRecord, failureOf, incompleteList } from './check-result.ts';
import { decideCheck } from './decide-check.ts';
import { engineOf } from './engine-of.ts';
import { foundOf, ignoredIn } from './found-of.ts';
import { readContent } from './read-state.ts';

interface Checked {
  readonly check: AccountCheck;
  readonly loaded: LoadedDesired;
}

/**
 * Checks one account: reads its fleet, compares it with the desired state, writes the differences, and proposes a plan
 * or queues its run, depending on the mode of the account. Null if the account is no longer configured, a newer
 * configuration gave its name to another tenant, one of its runs is in progress, which ends with a check, or the check
 * was stopped before its end. Rejects only if the database fails.
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
  if (!equalAccounts(known, toTenant(account, parts.env))) {
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

async function record(
  account: AccountConfig,
  { check, loaded }: Checked,
  parts: JobParts,
  { known, redaction, rateLimited }: Noted,
): Promise<CheckWritten> {
  const { store, clock, settings } = parts;
  const plan = await warnedPlan(account, { check, loaded }, known, parts);
  await saveFirstFleet(check, known, parts);
  const isIgnored = ignoredIn(check.drift.length === 0 ? [] : await store.ignores.of(account.name));
  const shown = checkRecord(check, isIgnored);
  const origin = await originOf(check, loaded, known, parts);
  const detail = detailOf(
    check,
    loaded.desired,
    { account, server: settings },
    new Date(clock.now()).toISOString(),
  );
  return decideCheck(account, parts, known, {
    async event(state) {
      const fresh = isEmpty(plan) ? undefined : freshPlan(plan, account, loaded, parts);
      const event = {
        kind: 'check-done',
        beganAt: known.readAt.getTime(),
        holdBefore: known.hold,
        commit: loaded.commit,
        author: loaded.author,
        found: foundOf(check, fresh, isIgnored, redaction.redact),
        refusals: {
          found: await refusalOf(plan, [], account, parts, redaction),
          open: await refusalOf(
            await openContent(state, plan, store),
            state.plan?.approvals ?? [],
            account,
            parts,
            redaction,
          ),
        },
      } as const;
      return { event, ...(fresh === undefined ? {} : { plan: () => fresh.details() }) };
    },
    changes: !isEmpty(plan),
    hasDrift: check.drift.length > 0,
    record: ({ health, failure, commit, nextAt }) => ({
      account: account.name,
      ...began(known),
      ...(origin === undefined ? {} : { origin }),
      health,
      ...shown,
      causes:
        failure === null ? shown.causes : [...shown.causes, causeOfFailure(failure, plan.account.service)],
      commit,
      failure,
      nextCheckAt: new Date(nextAt),
      rateLimited,
      detail,
    }),
  });
}

/**
 * The plan with a warning for each rule that deletes hosts that no rule of the last run deleted, or of the last check if there
 * was no run. Without a warning if those rules can't be read anymore.
 */
async function warnedPlan(
  account: AccountConfig,
  { check: { plan }, loaded }: Checked,
  known: FoundAccount,
  { desired, state }: JobParts,
): Promise<Plan> {
  if (isEmpty(plan) || loaded.desired.rules.every(({ ensure }) => ensure !== 'absent')) return plan;
  const runs = await state.listRuns({ account: plan.account, limit: 1 });
  const last = (runs.ok ? runs.value[0]?.head.origin?.commit : undefined) ?? known.commit;
  if (last === null || last === loaded.commit) return plan;
  const before = await desired.load(account, last);
  return before.ok ? withAllowedDeletions(plan, before.value.desired, loaded.desired) : plan;
}

/** Before the first run, later differences are compared with the fleet that a check found as desired. */
async function saveFirstFleet(
  { drift, plan, observed }: AccountCheck,
  { health }: FoundAccount,
  { state }: JobParts,
): Promise<void> {
  if (health === 'converged' || drift.length > 0 || !isEmpty(plan)) return;
  const left = await state.readFleet(plan.account);
  if (left.ok && left.value === null) await state.saveFleet(plan.account, observed, []);
}

/** The open plan, if people have approved it: other plans are created or replaced by this check. */
async function openContent(
  { plan: open }: AccountState,
  found: Plan,
  { plans }: Pick<JobParts['store'], 'plans'>,
): Promise<Plan> {
  if (
    open === null ||
    open.approvals.length === 0 ||
    open.contentDigest === digestsOf(withoutTime(found)).content
  )
    return found;
  return (await readContent(open.id, { plans })) ?? found;
}

async function refusalOf(
  plan: Plan,
  approvals: readonly StoredApproval[],
  account: AccountConfig,
  parts: JobParts,
  { redact }: Redaction,
): Promise<Failure | null> {
  const refusal =
    lastingRefusal({ plan, acks: acksOfApprovals({ approvals }) }, account, parts) ??
    (await signingRefusal(parts));
  return refusal === undefined ? null : failureOf([refusal], redact);
}

/** Keeps this check from replacing a later one, or data about another tenant. */
function began({ readAt, companyId, service }: FoundAccount) {
  return { beganAt: readAt, tenant: { companyId, service } };
}

/**
 * The author of differences that the fleet did not cause. If the desired state is that of the last check, which found
 * no difference, then a run caused them that applied something else, such as the reversal of another run.
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

async function recordFailure(
  account: AccountConfig,
  problems: readonly Problem[],
  parts: JobParts,
  { known, redaction, rateLimited }: Noted,
): Promise<CheckWritten> {
  const failure = failureOf(problems, redaction.redact);
  return decideCheck(account, parts, known, {
    async event() {
      return { event: { kind: 'check-failed', beganAt: known.readAt.getTime(), failure } };
    },
    changes: false,
    hasDrift: false,
    record: ({ health, commit, nextAt }) => ({
      account: account.name,
      ...began(known),
      health,
      causes: [causeOfFailure(failure, known.service)],
      commit,
      changes: known.plan?.changes ?? 0,
      irreversible: known.plan?.irreversible ?? 0,
      failure,
      nextCheckAt: new Date(nextAt),
      rateLimited,
    }),
  });
}
