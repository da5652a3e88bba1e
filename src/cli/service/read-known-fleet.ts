import type { Connection } from '../../accounts/engine/connection.ts';
import { factsFor, type KnownFleet } from '../../accounts/engine/read-facts.ts';
import type { FactNeeds } from '../../core/model/facts.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import type { Context } from '../shell/context.ts';
import { withConnection } from './read-fleet.ts';
import { inventoryOf } from './shared-inventory.ts';

/** The lists of the fleet and the other facts. Reads only what is needed. */
export function readKnownFleet(context: Context, needs: FactNeeds): Promise<Result<KnownFleet>> {
  return withConnection(context, (connection) => readKnownOn(connection, context, needs));
}

/** The same on a connection that is open, until the signal stops it. */
export async function readKnownOn(
  connection: Connection,
  context: Context,
  needs: FactNeeds,
  signal?: AbortSignal,
): Promise<Result<KnownFleet>> {
  const read = await connection.reader.read({
    antivirus: needs.antivirus,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!read.ok) return read;
  const facts = await factsFor(needs, connection, {
    clock: context.io.clock,
    inventory: inventoryOf(context),
    fleet: read.value,
  });
  if (!facts.ok) return facts;
  const { account } = connection;
  return ok({ account, observed: read.value, facts: facts.value }, [...read.problems, ...facts.problems]);
}
