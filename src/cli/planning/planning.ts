import type { Connection } from '../../accounts/engine/connection.ts';
import {
  type ChosenHosts,
  createPlanner as createEnginePlanner,
  type Haystack,
  type InstallOptions,
  type Planner,
  type PlannerParts,
  type PlanOptions,
  type RunSource,
  recall as recallFrom,
} from '../../accounts/engine/planning.ts';
import { type FleetToPlan, readLive as readFleet } from '../../accounts/engine/read-facts.ts';
import type { Account } from '../../core/model/account.ts';
import { checkSnapshot } from '../../core/model/check-snapshot.ts';
import type { Desired } from '../../core/model/desired.ts';
import { type FactNeeds, joinNeeds } from '../../core/model/facts.ts';
import { needsOfDesired } from '../../core/plan/intents/needs.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { Recalled } from '../../run/state/recall-runs.ts';
import { withConnection } from '../service/read-fleet.ts';
import { inventoryOf } from '../service/shared-inventory.ts';
import { readSnapshotFile } from '../setup/live-or-saved.ts';
import { type Context } from '../shell/context.ts';
import { chosenHosts, expressionNeeds } from './chosen-hosts.ts';

export interface FleetFlags extends PlanningFlags {
  /** A snapshot to plan on, with no credentials. */
  readonly observed?: string;
}

/**
 * The live fleet, or with `--observed` a saved one. Only the lists that the desired state needs are read, and those
 * that the `base` needs.
 */
export function fleetToPlan(
  context: Context,
  desired: Desired,
  flags: FleetFlags,
  base?: Desired,
): Promise<Result<FleetToPlan>> {
  return flags.observed === undefined
    ? withConnection(context, (connection) => readLiveFleet(context, connection, desired, flags, base))
    : readSaved(context, flags.observed, desired, allNeeds(statesOf(desired, base), flags));
}

/** The live fleet of an open connection. */
export function readLiveFleet(
  context: Context,
  connection: Connection,
  desired: Desired,
  flags: PlanningFlags,
  base?: Desired,
): Promise<Result<FleetToPlan>> {
  return readFleet(connection, desired, allNeeds(statesOf(desired, base), flags), {
    clock: context.io.clock,
    inventory: inventoryOf(context),
    ...(flags.maxInventoryAge === undefined ? {} : { maxAgeMs: flags.maxInventoryAge }),
  });
}

function statesOf(desired: Desired, base: Desired | undefined): readonly Desired[] {
  return base === undefined ? [desired] : [desired, base];
}

function allNeeds(states: readonly Desired[], { target = [], exclude = [] }: PlanningFlags): FactNeeds {
  return joinNeeds([...states.map(needsOfDesired), ...[...target, ...exclude].map(expressionNeeds)]);
}

async function readSaved(
  context: Context,
  file: string,
  desired: Desired,
  needs: FactNeeds,
): Promise<Result<FleetToPlan>> {
  const snapshot = await readSnapshotFile(context, file, desired);
  return snapshot.ok ? checkSnapshot(snapshot.value, needs, file) : snapshot;
}

/** The flags that affect the content of a plan. */
export interface PlanningFlags extends PlanOptions {
  readonly file?: readonly string[];
  /** The maximum age of the inventory that rules may use, in milliseconds. */
  readonly maxInventoryAge?: number;
  /** Ids or names of hosts, or expressions. */
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

/** The records of earlier runs of this account, within this command's time windows. */
export async function recallForCommand(
  context: Context,
  account: Account,
  flags: InstallOptions,
): Promise<Result<Recalled>> {
  const runs = await runsOf(context, account);
  return runs.ok ? recallFrom(runs.value, account, { ...flags, now: context.io.clock.now() }) : runs;
}

/** Plans for the account of this command, and only for the hosts that its flags choose. */
export async function createCommandPlanner(
  context: Context,
  parts: Pick<PlannerParts, 'desired' | 'account' | 'facts'>,
  flags: PlanningFlags,
): Promise<Result<Planner>> {
  const runs = await runsOf(context, parts.account);
  if (!runs.ok) return runs;
  const choose = (haystack: Haystack) => choiceOf(flags, haystack);
  const { account: operator, io } = context;
  return createEnginePlanner({ ...parts, operator, runs: runs.value, clock: io.clock, choose }, flags);
}

function choiceOf({ target, exclude }: PlanningFlags, haystack: Haystack): Result<ChosenHosts> {
  const targeted = target && chosenHosts(target, '--target', haystack);
  const excluded = exclude && chosenHosts(exclude, '--exclude', haystack);
  if (targeted?.ok === false) return targeted;
  if (excluded?.ok === false) return excluded;
  return ok({
    ...(targeted === undefined ? {} : { target: targeted.value }),
    ...(excluded === undefined ? {} : { exclude: excluded.value }),
  });
}

/** The runs that were requested together with the times of lists, or those of the state. */
async function runsOf(context: Context, account: Account): Promise<Result<RunSource>> {
  const state = await context.state.open();
  if (!state.ok) return state;
  return ok({
    clockSkewMs: () => state.value.clockSkewMs(),
    listRuns: (query) => context.state.prepared(account, query.since ?? 0) ?? state.value.listRuns(query),
  });
}
