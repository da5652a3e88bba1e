import { type Account, accountKey } from '../../src/core/model/account.ts';
import { openPostgresState } from '../../src/run/state/postgres/postgres-state.ts';
import { betweenRunsMs, type Filling, recordsOf } from './filling.ts';

export async function createTables(url: string): Promise<void> {
  const state = openPostgresState(url);
  const migrated = await state.migrate();
  await state.close();
  if (!migrated.ok) throw new Error(migrated.problems[0]?.message);
}

/** Inserts the same runs that `fillFolder` writes, by a few statements. */
export function fillDatabase(
  run: (sql: string) => void,
  { runs, records, crashed }: Filling,
  account: Account,
): void {
  const [head, begin, outcome, end] = [...recordsOf(0, { records: 4 }, account)].map((record) =>
    JSON.stringify(record),
  );
  const steps = (records - 2) / 2;
  run(`insert into rampart.run (run_id, account, head, started_at, last)
    select run_id, '${accountKey(account)}',
      '${head}'::jsonb || jsonb_build_object('run_id', run_id, 'at', at, 'steps', ${steps}), at,
      jsonb_set('${end}'::jsonb || jsonb_build_object('at', at), '{digest,done}', '${steps}')
    from (
      select at, to_char(at at time zone 'UTC', 'YYYYMMDD"T"HH24MISSMS"Z-"') || lpad(to_hex(ago), 6, '0') as run_id
      from (
        select ago, clock_timestamp() - (ago + 1) * interval '${betweenRunsMs} milliseconds' as at
        from generate_series(0, ${runs - 1}) as ago
      ) as began
    ) as run`);
  run(`insert into rampart.record (run_id, seq, type, kind, body)
    select run_id, 2 * step + is_outcome - 1,
      case is_outcome when 0 then 'begin' else 'outcome' end, 'rename',
      case is_outcome when 0 then '${begin}'::jsonb else '${outcome}'::jsonb end
        || jsonb_build_object('step', 'rename-' || step)
    from rampart.run, generate_series(1, ${steps}) as step, generate_series(0, 1) as is_outcome`);
  if (crashed === true) run('update rampart.run set last = null');
  run(`insert into rampart.record (run_id, seq, type, kind, body)
    select run_id, ${2 * steps + 1}, 'end', null, last from rampart.run where last is not null`);
  run('vacuum analyze');
}
