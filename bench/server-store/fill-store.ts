import { type Kysely, sql } from 'kysely';

/** The name of an account, counted from 1. */
export function accountName(number: number): string {
  return `account-${String(number).padStart(4, '0')}`;
}

/** The number of accounts in one statement. */
const portion = 50;

/** Accounts with hosts, a seventh of which differ from the desired state, and two days of history. */
export async function fillStore<Tables>(db: Kysely<Tables>, accounts: number, hosts: number): Promise<void> {
  await sql`
    insert into rampart_server.account (name, company_id, service, labels, mode, health, severity, hosts, drifted,
      seen_at, last_check_at)
    select 'account-' || lpad(i::text, 4, '0'), i, 'https://service.example', '{}', 'propose',
      case when i % 7 = 0 then 'drifted' else 'converged' end, case when i % 7 = 0 then 2 else 7 end, ${hosts}::integer,
      case when i % 7 = 0 then 10 else 0 end, now(), now() - make_interval(secs => i)
    from generate_series(1, ${accounts}::integer) as i
  `.execute(db);
  for (let from = 1; from <= accounts; from += portion)
    await sql`
      insert into rampart_server.host (account, host_id, name, key, search_text, group_name, state, drifted)
      select 'account-' || lpad(a::text, 4, '0'), a * 1000 + h, name, lower(name),
        concat_ws(E'\\n', lower(name), a * 1000 + h, 'group-' || h % 10, 'asset ' || left(md5(name), 6), 'sn' || h * 5003 + a),
        'group-' || h % 10,
        case when h % 3 = 0 then 'offline' else 'online' end, a % 7 = 0 and h <= 10
      from generate_series(${from}::integer, least(${from + portion - 1}::integer, ${accounts}::integer)) as a,
        generate_series(1, ${hosts}::integer) as h,
        lateral (select upper(left(md5((a * 7919 + h)::text), 2)) || '-'
          || (array['WS', 'LAP', 'SRV', 'KIOSK', 'POS'])[1 + (a + h) % 5] || '-'
          || lpad((a * 200 + h)::text, 7, '0') || '-' || left(md5((h * 31 + a)::text), 4) as name) as named
    `.execute(db);
  await sql`
    insert into rampart_server.cause (id, kind, title)
    select 'cause-' || i, 'fleet', 'Cause ' || i from generate_series(0, 255) as i
  `.execute(db);
  await sql`
    insert into rampart_server.account_cause (account, cause, hosts)
    select name, 'cause-' || (hashtext(name) & 255), 10 from rampart_server.account where health = 'drifted'
  `.execute(db);
  await sql`
    insert into rampart_server.history (at, account, drifted, checks, changes)
    select date_trunc('hour', now()) - make_interval(hours => h), name, drifted, 6,
      case when health = 'drifted' then 1 else 0 end
    from rampart_server.account, generate_series(0, 47) as h
  `.execute(db);
}
