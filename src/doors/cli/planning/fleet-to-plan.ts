import type { Account } from '../../../core/model/account.ts';
import { checkSnapshot } from '../../../core/model/check-snapshot.ts';
import type { Desired } from '../../../core/model/desired.ts';
import type { FactNeeds, Facts } from '../../../core/model/facts.ts';
import { joinNeeds } from '../../../core/model/facts.ts';
import type { Observed } from '../../../core/model/observed.ts';
import { readSnapshot } from '../../../core/model/snapshot.ts';
import { needsOf } from '../../../core/plan/intents/needs.ts';
import type { Problem } from '../../../core/problem/problem.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import type { Connection } from '../service/connect-service.ts';
import { factsFor } from '../service/read-facts.ts';
import { withConnection } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';
import { readText } from '../shell/files.ts';
import { expressionNeeds } from './chosen-hosts.ts';
import { checkAccount, type PlanningFlags } from './planning.ts';

/** A fleet with everything that planning needs to know about it. */
export interface FleetToPlan {
  readonly account: Account;
  readonly observed: Observed;
  readonly facts: Facts;
}

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
    ? withConnection(context, (connection) => readLive(context, connection, desired, flags, base))
    : readSaved(context, flags.observed, desired, allNeeds(statesOf(desired, base), flags));
}

export async function readLive(
  context: Context,
  connection: Connection,
  desired: Desired,
  flags: PlanningFlags,
  base?: Desired,
): Promise<Result<FleetToPlan>> {
  const { account, reader } = connection;
  const matches = checkAccount(desired, account);
  if (!matches.ok) return matches;
  const needs = allNeeds(statesOf(desired, base), flags);
  const read = await reader.read({ antivirus: needs.antivirus });
  if (!read.ok) return read;
  const facts = await factsFor(needs, connection, context, {
    fleet: read.value,
    ...(flags.maxAge === undefined ? {} : { maxAgeMs: flags.maxAge }),
  });
  if (!facts.ok) return facts;
  return ok({ account, observed: read.value, facts: facts.value }, [
    ...read.problems.filter(isNotOfPlan),
    ...facts.problems,
  ]);
}

/** A plan itself names unreadable hosts. */
function isNotOfPlan({ code }: Problem): boolean {
  return code !== 'unreadable-host';
}

function statesOf(desired: Desired, base: Desired | undefined): readonly Desired[] {
  return base === undefined ? [desired] : [desired, base];
}

function allNeeds(states: readonly Desired[], { target = [], exclude = [] }: PlanningFlags): FactNeeds {
  return joinNeeds([...states.map(needsOf), ...[...target, ...exclude].map(expressionNeeds)]);
}

async function readSaved(
  context: Context,
  file: string,
  desired: Desired,
  needs: FactNeeds,
): Promise<Result<FleetToPlan>> {
  const text = await readText(context.path(file), file);
  if (!text.ok) return text;
  const snapshot = readSnapshot(text.value, file);
  if (!snapshot.ok) return snapshot;
  const matches = checkAccount(desired, snapshot.value.account);
  return matches.ok ? checkSnapshot(snapshot.value, needs, file) : matches;
}
