import type { Account } from '../../core/model/account.ts';
import type { Desired } from '../../core/model/desired.ts';
import type { FactNeeds, Facts } from '../../core/model/facts.ts';
import type { Observed } from '../../core/model/observed.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { Connection } from './connection.ts';
import { checkCompany } from './planning.ts';
import { type FactOptions, factsFor } from './read-facts.ts';

/** A fleet with everything that planning needs to know about it. */
export interface FleetToPlan {
  readonly account: Account;
  readonly observed: Observed;
  readonly facts: Facts;
}

/** Reads the fleet, and only the lists and facts that planning needs. */
export async function readLive(
  connection: Connection,
  desired: Desired,
  needs: FactNeeds,
  options: Omit<FactOptions, 'fleet'>,
): Promise<Result<FleetToPlan>> {
  const { account, reader } = connection;
  const matches = checkCompany(desired, account);
  if (!matches.ok) return matches;
  const read = await reader.read({ antivirus: needs.antivirus });
  if (!read.ok) return read;
  const facts = await factsFor(needs, connection, { ...options, fleet: read.value });
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
