import type { Account } from '../../../core/model/account.ts';
import type { Desired } from '../../../core/model/desired.ts';
import type { Facts } from '../../../core/model/facts.ts';
import type { InstallRecall } from '../../../core/model/install-request.ts';
import type { Observed } from '../../../core/model/observed.ts';
import { underOperator } from '../../../core/plan/guards/operator.ts';
import { makePlan } from '../../../core/plan/make-plan.ts';
import type { Acks } from '../../../core/plan/types/constraints.ts';
import type { Pace } from '../../../core/plan/types/forecast.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import { type PlanInputs } from '../../../core/plan/types/plan-inputs.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { State } from '../../../run/state/interface/state.ts';
import { type Recalled, recallRuns } from '../../../run/state/recall-runs.ts';
import type { Context } from '../shell/context.ts';
import { chosenHosts } from './chosen-hosts.ts';

/** Milliseconds. */
export interface InstallFlags {
  /** How long a requested install that no list shows counts as pending. */
  readonly antivirusWindow?: number;
  /** How long a host may take to report after a refresh. */
  readonly antivirusSettle?: number;
}

/** The records of earlier runs of this account, within this command's time windows. */
export async function recall(
  context: Context,
  account: Account,
  { antivirusWindow, antivirusSettle }: InstallFlags,
): Promise<Result<Recalled>> {
  const state = await context.state.open();
  if (!state.ok) return state;
  const source: Pick<State, 'listRuns' | 'clockSkewMs'> = {
    clockSkewMs: state.value.clockSkewMs,
    listRuns: (query) => context.state.prepared(account, query.since ?? 0) ?? state.value.listRuns(query),
  };
  return recallRuns(source, account, {
    now: context.io.clock.now(),
    ...(antivirusWindow === undefined ? {} : { windowMs: antivirusWindow }),
    ...(antivirusSettle === undefined ? {} : { settleMs: antivirusSettle }),
  });
}

/** The flags that affect the content of a plan. */
export interface PlanningFlags extends InstallFlags {
  readonly file?: readonly string[];
  readonly ack?: Acks;
  readonly deleteFirst?: true;
  readonly skipBlocked?: true;
  readonly strict?: true;
  readonly allowEmptyFleet?: true;
  readonly batchSize?: number;
  /** The maximum age of the inventory that rules may use, in milliseconds. */
  readonly maxAge?: number;
  /** Ids or names of hosts, or expressions. */
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  readonly fast?: true;
  /** Calls per second. */
  readonly assumeRate?: number;
  /** Milliseconds. */
  readonly assumeLatency?: number;
}

/** The file may name the account that it is for. */
export function checkAccount(desired: Desired, account: Account): Result<null> {
  const expected = desired.companyId;
  if (expected === undefined || expected.value === account.companyId) return ok(null);
  const [what, hint] =
    account.companyId === null
      ? [
          'the credentials do not contain a company id',
          'set RAMPART_COMPANY_ID in addition to the session credentials',
        ]
      : [
          `the credentials are for company ${account.companyId}`,
          'choose the correct --account, or correct the file',
        ];
  return failed(
    problem('account-mismatch', `the file is for company ${expected.value}, and ${what}`, {
      place: expected.place,
      hint,
    }),
  );
}

/** Plans the same intents on any read of the fleet. */
export interface Planner {
  /** The recorded install requests. */
  readonly installs: InstallRecall;
  inputsOn(observed: Observed): Result<PlanInputs>;
  planOn(observed: Observed): Result<Plan>;
}

export interface PlannerParts {
  readonly desired: Desired;
  readonly account: Account;
  readonly facts: Facts;
}

export async function createPlanner(
  context: Context,
  { desired: given, account, facts: read }: PlannerParts,
  flags: PlanningFlags,
): Promise<Result<Planner>> {
  const operator = context.account;
  const facts: Facts = operator === undefined ? read : { ...read, account: operator };
  const { clock } = context.io;
  const earlier = await recall(context, account, flags);
  if (!earlier.ok) return earlier;
  const recalled = earlier.value;
  const pace = completePace(flags, recalled.pace);
  const inputsOn = (observed: Observed): Result<PlanInputs> => {
    const desired = operator === undefined ? given : underOperator(given, operator, observed.count);
    const haystack = { desired, observed, facts };
    const target = flags.target && chosenHosts(flags.target, '--target', haystack);
    const exclude = flags.exclude && chosenHosts(flags.exclude, '--exclude', haystack);
    if (target?.ok === false) return target;
    if (exclude?.ok === false) return exclude;
    if (flags.fast === true && pace === undefined) {
      return failed(
        problem('usage', "--fast needs the service's rate, which no run has measured yet", {
          hint: 'set it, for example: --assume-rate 50 --assume-latency 100ms',
        }),
      );
    }
    return ok({
      desired,
      observed,
      facts,
      account,
      now: new Date(clock.now()).toISOString(),
      acks: flags.ack ?? {},
      deleteFirst: flags.deleteFirst ?? false,
      skipBlocked: flags.skipBlocked ?? false,
      strict: flags.strict ?? false,
      allowEmptyFleet: flags.allowEmptyFleet ?? false,
      fast: flags.fast ?? false,
      installs: recalled.installs,
      ...(flags.batchSize === undefined ? {} : { batchSize: flags.batchSize }),
      ...(pace === undefined ? {} : { pace }),
      ...(recalled.fleetSize === undefined ? {} : { lastFleetSize: recalled.fleetSize }),
      ...(target === undefined ? {} : { target: target.value }),
      ...(exclude === undefined ? {} : { exclude: exclude.value }),
    });
  };
  return ok({
    installs: recalled.installs,
    inputsOn,
    planOn(observed) {
      const inputs = inputsOn(observed);
      return inputs.ok ? ok(makePlan(inputs.value)) : inputs;
    },
  });
}

function completePace(
  { assumeRate, assumeLatency }: PlanningFlags,
  learned: Pace | undefined,
): Pace | undefined {
  const rate = assumeRate ?? learned?.rate;
  const latency = assumeLatency === undefined ? learned?.latency : assumeLatency / 1000;
  return rate === undefined || latency === undefined ? undefined : { rate, latency };
}
