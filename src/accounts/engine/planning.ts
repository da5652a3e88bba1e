import { defined } from '../../core/lib/defined.ts';
import type { Clock } from '../../core/lib/surroundings.ts';
import type { Account } from '../../core/model/account.ts';
import type { Desired } from '../../core/model/desired.ts';
import type { Facts } from '../../core/model/facts.ts';
import type { InstallRecall } from '../../core/model/install-request.ts';
import type { HostId, Observed } from '../../core/model/observed.ts';
import { underOperator } from '../../core/plan/guards/operator.ts';
import { makePlan } from '../../core/plan/make-plan.ts';
import type { Pace } from '../../core/plan/types/forecast.ts';
import type { Acks, Plan } from '../../core/plan/types/plan.ts';
import type { PlanInputs } from '../../core/plan/types/plan-inputs.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { State } from '../../run/state/interface/state.ts';
import { type Recalled, recallRuns } from '../../run/state/recall-runs.ts';
import type { AccountConfig } from '../config/account-config.ts';

/** The records of earlier runs. */
export type RunSource = Pick<State, 'listRuns' | 'clockSkewMs'>;

/** Milliseconds. */
export interface InstallOptions {
  /** How long a requested install that no list shows counts as pending. */
  readonly antivirusWindow?: number;
  /** How long a host may take to report after a refresh. */
  readonly antivirusSettle?: number;
}

/** The records of earlier runs of this account, within these time windows. */
export function recall(
  runs: RunSource,
  account: Account,
  { antivirusWindow, antivirusSettle, now }: InstallOptions & { readonly now: number },
): Promise<Result<Recalled>> {
  return recallRuns(runs, account, {
    now,
    ...defined({ windowMs: antivirusWindow, settleMs: antivirusSettle }),
  });
}

/** The data with which hosts are selected. */
export interface Haystack {
  readonly desired: Desired;
  readonly observed: Observed;
  readonly facts: Facts;
}

/** A part of the hosts to plan for. */
export interface ChosenHosts {
  readonly target?: ReadonlySet<HostId>;
  readonly exclude?: ReadonlySet<HostId>;
}

/** The choices that affect the content of a plan. */
export interface PlanOptions extends InstallOptions {
  readonly ack?: Acks;
  readonly deleteFirst?: true;
  readonly skipBlocked?: true;
  readonly strict?: true;
  readonly allowEmptyFleet?: true;
  readonly batchSize?: number;
  /** The number of the change ticket. */
  readonly ticket?: string;
  /** Calls per second. */
  readonly assumeRate?: number;
  /** Milliseconds. */
  readonly assumeLatency?: number;
}

/** The file may name the account that it is for. */
export function checkCompany(desired: Desired, account: Account): Result<null> {
  const expected = desired.companyId;
  if (expected === undefined || expected.value === account.companyId) return ok(null);
  const [what, hint] =
    account.companyId === null
      ? [
          'the credentials do not contain a company ID',
          'set RAMPART_COMPANY_ID in addition to the session credentials',
        ]
      : [
          `the credentials are for account ${account.companyId}`,
          'choose the correct --account, or correct the file',
        ];
  return failed(
    problem('account-mismatch', `the file is for account ${expected.value}, and ${what}`, {
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
  /** The settings of the account, with the limits of the operator; absent if the environment names the account. */
  readonly operator?: AccountConfig | undefined;
  readonly runs: RunSource;
  readonly clock: Clock;
  /** All hosts, if absent. */
  readonly choose?: (haystack: Haystack) => Result<ChosenHosts>;
}

export async function createPlanner(
  { desired: given, account, facts: read, operator, runs, clock, choose }: PlannerParts,
  flags: PlanOptions = {},
): Promise<Result<Planner>> {
  const facts: Facts = operator === undefined ? read : { ...read, account: operator };
  const earlier = await recall(runs, account, { ...flags, now: clock.now() });
  if (!earlier.ok) return earlier;
  const recalled = earlier.value;
  const pace = completePace(flags, recalled.pace);
  const inputsOn = (observed: Observed): Result<PlanInputs> => {
    const desired = operator === undefined ? given : underOperator(given, operator, observed.count);
    const chosen = choose === undefined ? ok({}) : choose({ desired, observed, facts });
    if (!chosen.ok) return chosen;
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
      installs: recalled.installs,
      ...(flags.batchSize === undefined ? {} : { batchSize: flags.batchSize }),
      ...(flags.ticket === undefined ? {} : { ticket: flags.ticket }),
      ...(pace === undefined ? {} : { pace }),
      ...(recalled.fleetSize === undefined ? {} : { lastFleetSize: recalled.fleetSize }),
      ...(recalled.tables === undefined ? {} : { lastTables: recalled.tables }),
      ...(recalled.numbers === undefined ? {} : { lastNumbers: recalled.numbers }),
      ...chosen.value,
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
  { assumeRate, assumeLatency }: PlanOptions,
  learned: Pace | undefined,
): Pace | undefined {
  const rate = assumeRate ?? learned?.rate;
  const latency = assumeLatency === undefined ? learned?.latency : assumeLatency / 1000;
  return rate === undefined || latency === undefined ? undefined : { rate, latency };
}
