import type { Connection } from '../../accounts/engine/connection.ts';
import { factsFor, type KnownFleet } from '../../accounts/engine/read-facts.ts';
import type { FactNeeds } from '../../core/model/facts.ts';
import type { Observed } from '../../core/model/observed.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import type { ReadOptions } from '../../service/wire/fleet.ts';
import type { Context } from '../shell/context.ts';
import { connectService } from './connect-service.ts';
import { inventoryOf } from './shared-inventory.ts';

/** Opens a connection for some work and always closes it afterwards. */
export async function withConnection<T>(
  context: Context,
  work: (connection: Connection) => Promise<Result<T>>,
): Promise<Result<T>> {
  const connection = await connectService(context);
  if (!connection.ok) return connection;
  let worked: Result<T>;
  let closed: Result<null>;
  try {
    worked = await work(connection.value);
  } finally {
    closed = await connection.value.close();
  }
  const problems = [...connection.problems, ...worked.problems, ...closed.problems];
  return worked.ok && closed.ok ? ok(worked.value, problems) : failed(...problems);
}

export function readFleet(context: Context, options: ReadOptions): Promise<Result<Observed>> {
  return withConnection(context, ({ reader }) => reader.read(options));
}

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
