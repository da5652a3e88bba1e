/**
 * Every migration of the shared state. A migration that landed never changes, because databases that have it would not
 * run it again.
 */
export const stateMigrations: Readonly<Record<string, string>> = {
  '0001': `
    create table rampart.lease (
      account text primary key,
      epoch integer not null,
      holder jsonb,
      until timestamptz not null
    );
    create table rampart.run (
      run_id text collate "C" primary key,
      account text not null,
      head jsonb not null,
      started_at timestamptz not null,
      last jsonb
    );
    create index run_of_account on rampart.run (account, run_id desc);
    create table rampart.record (
      run_id text collate "C" not null references rampart.run (run_id) on delete cascade,
      seq integer not null,
      type text not null,
      kind text,
      body jsonb not null,
      primary key (run_id, seq)
    );
    create table rampart.fleet (
      account text primary key,
      snapshot bytea not null,
      saved_at timestamptz not null default clock_timestamp()
    )`,
  '0002': `
    create index run_of_actor on rampart.run ((head #>> '{origin,actor}'), run_id desc);
    create index run_of_commit on rampart.run (((head #>> '{origin,commit}') collate "C"));
    create index run_not_completed on rampart.run (run_id desc)
      where last is null or last ->> 'exit_code' <> '0';
    create table rampart.audit (
      seq integer primary key check (seq > 0),
      hash text not null,
      body text not null
    )`,
  '0003': `
    create table rampart.list_time (
      account text not null,
      action text not null,
      read_at timestamptz not null,
      every_ms double precision,
      primary key (account, action)
    )`,
  '0004': `
    create table rampart.rollout (
      rollout_id text collate "C" primary key,
      head jsonb not null
    );
    create table rampart.rollout_plan (
      rollout_id text collate "C" not null references rampart.rollout (rollout_id) on delete cascade,
      account text not null,
      plan bytea not null,
      primary key (rollout_id, account)
    );
    create table rampart.rollout_entry (
      rollout_id text collate "C" not null references rampart.rollout (rollout_id) on delete cascade,
      seq integer not null,
      token text not null,
      events jsonb not null,
      primary key (rollout_id, seq)
    )`,
  '0005': `
    create table rampart.inventory (
      account text primary key,
      text bytea not null,
      saved_at timestamptz not null default clock_timestamp()
    )`,
  '0006': `
    create table rampart.audit_head (
      id integer primary key default 1 check (id = 1),
      seq integer not null,
      head text not null
    )`,
};
