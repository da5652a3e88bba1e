import type { Connection } from '../../accounts/engine/connection.ts';
import { checkCompany } from '../../accounts/engine/planning.ts';
import { type FleetToPlan, readLive as readFleet } from '../../accounts/engine/read-live.ts';
import { checkSnapshot } from '../../core/model/check-snapshot.ts';
import type { Desired } from '../../core/model/desired.ts';
import type { FactNeeds } from '../../core/model/facts.ts';
import { joinNeeds } from '../../core/model/facts.ts';
import { readSnapshot } from '../../core/model/snapshot.ts';
import { needsOfDesired } from '../../core/plan/intents/needs.ts';
import type { Result } from '../../core/problem/problem.ts';
import { withConnection } from '../service/read-fleet.ts';
import { inventoryOf } from '../service/shared-inventory.ts';
import type { Context } from '../shell/context.ts';
import { readTextFile } from '../shell/files.ts';
import { expressionNeeds } from './chosen-hosts.ts';
import type { PlanningFlags } from './planning.ts';

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
  const text = await readTextFile(context.path(file), file);
  if (!text.ok) return text;
  const snapshot = readSnapshot(text.value, file);
  if (!snapshot.ok) return snapshot;
  const matches = checkCompany(desired, snapshot.value.account);
  return matches.ok ? checkSnapshot(snapshot.value, needs, file) : matches;
}
