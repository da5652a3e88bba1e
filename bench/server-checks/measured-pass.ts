import { type MeasuredServer, until } from './measured-server.ts';

/** One check of every account. */
export interface Pass {
  readonly seconds: number;
  /** Processor time of the server, and of all processes of the database. */
  readonly serverSeconds: number;
  readonly databaseSeconds: number;
}

/** Each look starts a client of the database, so it takes time from the measured work. */
const lookMs = 1_000;

/** Waits until all accounts were checked since the last hour; the times are those of the database. */
export async function measurePass(server: MeasuredServer, accounts: number): Promise<Pass> {
  const before = server.used();
  const counted = () =>
    server
      .ask(
        `select count(*) filter (where last_check_at > now() - interval '1 hour') || ' '
           || coalesce(extract(epoch from max(last_check_at) - min(last_check_at)), 0)
         from rampart_server.account`,
      )
      .split(' ')
      .map(Number);
  await until(server, () => (counted()[0] ?? 0) >= accounts, lookMs);
  const after = server.used();
  return {
    seconds: counted()[1] ?? Number.NaN,
    serverSeconds: after.server - before.server,
    databaseSeconds: after.database - before.database,
  };
}

/** Makes every account due, and lets its lists be read at once. */
export function startPass({ ask }: MeasuredServer): void {
  ask(
    `delete from rampart.list_time; update rampart_server.account set last_check_at = now() - interval '2 hours'`,
  );
}
