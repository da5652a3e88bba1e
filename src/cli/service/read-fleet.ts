import { type Connection } from '../../accounts/engine/connection.ts';
import type { Observed } from '../../core/model/observed.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { ReadOptions } from '../../service/wire/fleet.ts';
import type { Context } from '../shell/context.ts';
import { connectService } from './connect-service.ts';

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
