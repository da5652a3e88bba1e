import { firstTables } from './first-tables.ts';

/**
 * Every migration of the store. A migration that landed never changes, because databases that have it would not run it
 * again.
 */
export const storeMigrations: Readonly<Record<string, string>> = {
  '0001': firstTables,
  '0002': `
    alter table rampart_server.run add column override jsonb;
    alter table rampart_server.account add column hold jsonb`,
  // Searches read the unsorted part of the index `host_by_text` as a whole, so that part is kept small. The statistics
  // of names decide between that index and the one by name: they are fine enough that no single name makes a rare text
  // look common.
  '0003': `
    alter index rampart_server.host_by_text set (gin_pending_list_limit = 512);
    alter table rampart_server.host alter column key set statistics 2000`,
  // The health "ignored" comes before "converged", so accounts that are converged or unchecked move by one.
  '0004': `
    create table rampart_server.ignored_drift (
      id text collate "C" primary key,
      account text collate "C" not null references rampart_server.account (name) on delete cascade,
      host_id text collate "C" not null,
      attribute text collate "C" not null,
      name text not null,
      live text,
      reason text not null,
      "by" jsonb not null,
      at timestamptz not null default clock_timestamp(),
      until timestamptz not null,
      unique (account, host_id, attribute)
    );
    alter table rampart_server.drift add column ignored boolean not null default false;
    alter table rampart_server.account alter column severity set default 9;
    update rampart_server.account set severity = severity + 1 where severity >= 7`,
  '0005': `create index plan_of_commit on rampart_server.plan (source, commit)`,
  '0006': `
    create table rampart_server.rehearsal (
      plan text collate "C" primary key references rampart_server.plan (id) on delete cascade,
      state text not null,
      fleet text,
      "by" jsonb not null,
      asked_at timestamptz not null default clock_timestamp(),
      ended_at timestamptz,
      result jsonb
    );
    create table rampart_server.rollout_account (
      account text collate "C" primary key,
      rollout text collate "C" not null
    )`,
  '0007': `alter table rampart_server.account_cause add column origin jsonb`,
  '0008': `alter table rampart_server.account add column check_began_at timestamptz;
    update rampart_server.account set severity = 9 where health is null`,
  // Nothing reads it, and each check would have to write it.
  '0009': `drop index rampart_server.account_due`,
  // Migration 0003 once set 300, so some databases still have it.
  '0010': `alter table rampart_server.host alter column key set statistics 2000`,
  '0011': `
    alter table rampart_server.plan add column change_digest text;
    alter table rampart_server.plan add column content_digest text`,
  '0012': `alter table rampart_server.plan add column later jsonb`,
  '0013': `alter table rampart_server.plan add column signature text`,
  '0014': `alter table rampart_server.approval add column ticket text`,
  // Trigrams can't find two characters, or three punctuation marks. The next check of an account adds what it reads
  // about its hosts.
  '0015': `
    create function rampart_server.pairs_of(given text) returns text[] language sql immutable strict parallel safe as $$
      select string_to_array(regexp_replace(given, '(..)', E'\\\\1\\x1f', 'g') || E'\\x1f'
        || regexp_replace(substr(given, 2), '(..)', E'\\\\1\\x1f', 'g'), E'\\x1f')
    $$;
    alter table rampart_server.host add column search_text text collate "C" not null default '';
    update rampart_server.host set search_text = concat_ws(E'\\n', key, host_id, lower(group_name));
    alter table rampart_server.host alter column search_text set statistics 2000;
    drop index rampart_server.host_by_text;
    create index host_by_text on rampart_server.host using gin (search_text gin_trgm_ops)
      with (gin_pending_list_limit = 512);
    create index host_by_pair on rampart_server.host using gin (rampart_server.pairs_of(search_text))
      with (gin_pending_list_limit = 512)`,
  // No statistics decide any more how a search is done, and reading so many takes each analysis most of its time.
  '0016': `
    alter table rampart_server.host alter column search_text set statistics -1;
    alter table rampart_server.host alter column key set statistics -1`,
  // The entries of 200 hosts take 0.5 MB, so each new account had its own sorted into the index. Sorting those of
  // several accounts at once writes a third less. A search reads a list of this length in 2 to 5 milliseconds.
  '0017': `
    alter index rampart_server.host_by_text set (gin_pending_list_limit = 4096);
    alter index rampart_server.host_by_pair set (gin_pending_list_limit = 4096)`,
  '0018': `alter table rampart_server.notification add column failed_at timestamptz`,
  // A host without a name had an empty one.
  '0019': `
    alter table rampart_server.host alter column name drop not null;
    update rampart_server.host set name = null where name = '';
    alter table rampart_server.drift alter column name drop not null;
    update rampart_server.drift set name = null where name = '';
    alter table rampart_server.ignored_drift alter column name drop not null;
    update rampart_server.ignored_drift set name = null where name = ''`,
  // The name of some of these hosts is empty. A check with the same digest would write none of them.
  '0020': `update rampart_server.account set fleet_digest = null, drift_digest = null
    where name in (select account from rampart_server.host where name is null)`,
};
