import type { Account } from '../model/account.ts';
import type { Desired } from '../model/desired.ts';
import { type HostId, toHostId } from '../model/host-id.ts';
import type { Observed } from '../model/observed.ts';
import { makePlan, type PlanInputs } from '../plan/make-plan.ts';
import type { Acks, Pace, Plan } from '../plan/plan.ts';
import { problem } from '../problem/problem.ts';
import { failed, ok, type Result } from '../problem/result.ts';
import type { Context } from './context.ts';
import { recallRuns } from './recall-runs.ts';

/** What decides the content of a plan, beside the desired state and the fleet. */
export interface PlanningFlags {
  readonly file?: readonly string[];
  readonly ack?: Acks;
  readonly deleteFirst?: true;
  readonly skipBlocked?: true;
  readonly strict?: true;
  readonly batchSize?: number;
  /** Milliseconds. */
  readonly antivirusWindow?: number;
  /** Ids or names of hosts. */
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
  readonly fast?: true;
  /** Calls a second. */
  readonly assumeRate?: number;
  /** Milliseconds. */
  readonly assumeLatency?: number;
}

export const defaultWindowMs = 24 * 3600 * 1000;

/** The file may say which account it is for. */
export function checkAccount(desired: Desired, account: Account): Result<null> {
  const wanted = desired.companyId;
  if (wanted === undefined || wanted.value === account.companyId) return ok(null);
  const [what, hint] =
    account.companyId === null
      ? [
          'the credentials do not say which company they are for',
          'set RAMPART_COMPANY_ID beside the session credentials',
        ]
      : [
          `the credentials are for company ${account.companyId}`,
          'choose the right --profile, or mend the file',
        ];
  return failed(
    problem('account-mismatch', `the file is for company ${wanted.value}, and ${what}`, {
      place: wanted.place,
      hint,
    }),
  );
}

/** Does any entry ask for the anti-virus, so that its list is needed? */
export function asksForAntivirus(desired: Desired): boolean {
  for (let index = 0; index < desired.count; index += 1) if (desired.at(index).antivirus) return true;
  return false;
}

export type Planner = (observed: Observed) => Result<Plan>;

/** A function that plans the same wishes on any read of the fleet. */
export async function createPlanner(
  context: Context,
  desired: Desired,
  flags: PlanningFlags,
  account: Account,
): Promise<Planner> {
  const { clock } = context.io;
  const recalled = await recallRuns(context, account, flags.antivirusWindow ?? defaultWindowMs);
  const pace = completePace(flags, recalled.pace);
  return (observed) => {
    const target =
      flags.target === undefined ? undefined : findHosts(flags.target, '--target', desired, observed);
    const exclude =
      flags.exclude === undefined ? undefined : findHosts(flags.exclude, '--exclude', desired, observed);
    if (target?.ok === false) return target;
    if (exclude?.ok === false) return exclude;
    if (flags.fast === true && pace === undefined) {
      return failed(
        problem('usage', '--fast needs the service’s pace, and no run has learned it yet', {
          hint: 'say it: --assume-rate 50 --assume-latency 100ms',
        }),
      );
    }
    const inputs: PlanInputs = {
      desired,
      observed,
      account,
      now: new Date(clock.now()).toISOString(),
      acks: flags.ack ?? {},
      deleteFirst: flags.deleteFirst ?? false,
      skipBlocked: flags.skipBlocked ?? false,
      strict: flags.strict ?? false,
      fast: flags.fast ?? false,
      installsInProgress: recalled.installsInProgress,
      ...(flags.batchSize === undefined ? {} : { batchSize: flags.batchSize }),
      ...(pace === undefined ? {} : { pace }),
      ...(recalled.fleetSize === undefined ? {} : { lastFleetSize: recalled.fleetSize }),
      ...(target === undefined ? {} : { target: target.value }),
      ...(exclude === undefined ? {} : { exclude: exclude.value }),
    };
    return ok(makePlan(inputs));
  };
}

function completePace(
  { assumeRate, assumeLatency }: PlanningFlags,
  learned: Pace | undefined,
): Pace | undefined {
  const rate = assumeRate ?? learned?.rate;
  const latency = assumeLatency === undefined ? learned?.latency : assumeLatency / 1000;
  return rate === undefined || latency === undefined ? undefined : { rate, latency };
}

/** Hosts by id, by their name now, or by the name that an entry with an id wants for them. */
function findHosts(
  words: readonly string[],
  flag: string,
  desired: Desired,
  observed: Observed,
): Result<ReadonlySet<HostId>> {
  const wanted = new Map<string, HostId>();
  for (let index = 0; index < desired.count; index += 1) {
    const { id, name } = desired.at(index);
    if (id !== undefined && name !== undefined) wanted.set(name, id);
  }
  const found = new Set<HostId>();
  for (const word of words) {
    const id = toHostId(word);
    const byId = id === undefined ? undefined : observed.byId(id);
    const hosts = byId === undefined ? observed.byName(word).map((host) => host.id) : [byId.id];
    const byWish = wanted.get(word);
    const all = hosts.length > 0 ? hosts : byWish === undefined ? [] : [byWish];
    if (all.length === 0) {
      return failed(
        problem('usage', `${flag} ${word}: no host has this id or name`, {
          hint: 'rampart hosts lists them',
        }),
      );
    }
    for (const each of all) found.add(each);
  }
  return ok(found);
}
