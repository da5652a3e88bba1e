/**
 * Names and ids that pages are ordered by use the collation "C", so that every database orders them alike; times that
 * pages are ordered by have milliseconds, as the cursors do. The column `host.key` is the name in lower case.
 */
export const firstTables = `
    create extension if not exists pg_trgm;
    create table rampart_server.account (
      name text collate "C" primary key,
      company_id text,
      service text not null,
      labels jsonb not null,
      mode text not null,
      source text,
      health text,
      severity integer not null default 8,
      since timestamptz,
      hosts integer,
      drifted integer,
      changes integer not null default 0,
      irreversible integer not null default 0,
      commit text,
      last_check_at timestamptz,
      next_check_at timestamptz,
      seen_at timestamptz,
      failure jsonb,
      fleet_digest text,
      drift_digest text,
      detail jsonb,
      version integer not null default 1,
      removed_at timestamptz
    );
    create index account_by_health on rampart_server.account (severity, name) where removed_at is null;
    create index account_due on rampart_server.account (next_check_at) where removed_at is null;
    create table rampart_server.host (
      account text collate "C" not null references rampart_server.account (name) on delete cascade,
      host_id text collate "C" not null,
      name text not null,
      key text collate "C" not null,
      group_name text collate "C",
      state text collate "C",
      facts jsonb,
      drifted boolean not null default false,
      primary key (account, host_id)
    );
    create index host_by_name on rampart_server.host (key, account, host_id);
    create index host_by_text on rampart_server.host using gin (key gin_trgm_ops);
    create index host_by_id on rampart_server.host (host_id);
    create index host_by_group on rampart_server.host (group_name, key, account, host_id);
    create index host_drifted on rampart_server.host (key, account, host_id) where drifted;
    create table rampart_server.cause (
      id text collate "C" primary key,
      kind text not null,
      title text not null,
      rule text,
      file text,
      line integer,
      col integer,
      since timestamptz not null default clock_timestamp()
    );
    create table rampart_server.account_cause (
      account text collate "C" not null references rampart_server.account (name) on delete cascade,
      cause text collate "C" not null references rampart_server.cause (id),
      hosts integer not null,
      since timestamptz not null default clock_timestamp(),
      primary key (account, cause)
    );
    create index account_cause_by_cause on rampart_server.account_cause (cause);
    create table rampart_server.drift (
      account text collate "C" not null references rampart_server.account (name) on delete cascade,
      host_id text collate "C" not null,
      attribute text collate "C" not null,
      name text not null,
      desired text,
      last text,
      live text,
      changed text not null,
      cause text collate "C" not null references rampart_server.cause (id),
      since timestamptz not null default clock_timestamp(),
      primary key (account, host_id, attribute)
    );
    create index drift_by_cause on rampart_server.drift (cause, account, host_id, attribute);
    create table rampart_server.plan (
      id text collate "C" primary key,
      account text collate "C" not null,
      checksum text not null,
      document bytea not null,
      review jsonb not null,
      state text not null,
      reason text,
      source text not null,
      commit text,
      author text,
      pull_request text,
      created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
      expires_at timestamptz not null,
      decided_at timestamptz,
      counts jsonb not null,
      changes integer not null,
      irreversible integer not null,
      calls integer not null,
      required jsonb not null,
      replaced_by text
    );
    create index plan_by_time on rampart_server.plan (created_at desc, id desc);
    create index plan_of_account on rampart_server.plan (account, created_at desc, id desc);
    create index plan_ended on rampart_server.plan (created_at)
      where state not in ('waiting', 'approved', 'running');
    create unique index plan_open on rampart_server.plan (account)
      where state in ('waiting', 'approved', 'running');
    create table rampart_server.approval (
      plan text collate "C" not null references rampart_server.plan (id) on delete cascade,
      subject_key text collate "C" not null,
      subject jsonb not null,
      at timestamptz not null default clock_timestamp(),
      decision text not null,
      numbers jsonb not null,
      comment text,
      via text not null,
      primary key (plan, subject_key)
    );
    create table rampart_server.comment (
      id bigint generated always as identity primary key,
      plan text collate "C" not null references rampart_server.plan (id) on delete cascade,
      subject jsonb not null,
      at timestamptz not null default clock_timestamp(),
      text text not null
    );
    create index comment_of_plan on rampart_server.comment (plan, id);
    create table rampart_server.run (
      id text collate "C" primary key,
      account text collate "C" not null,
      plan text,
      journal text,
      state text not null,
      stop_by jsonb,
      by jsonb,
      reason text,
      steps jsonb not null,
      progress jsonb not null default '{}',
      queued_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
      started_at timestamptz,
      ended_at timestamptz,
      exit_code integer
    );
    create index run_by_time on rampart_server.run (queued_at desc, id desc);
    create index run_of_account on rampart_server.run (account, queued_at desc, id desc);
    create unique index run_active on rampart_server.run (account)
      where state in ('queued', 'running', 'stopping');
    create table rampart_server.run_event (
      run text collate "C" not null references rampart_server.run (id) on delete cascade,
      seq integer not null,
      at timestamptz not null default clock_timestamp(),
      type text not null,
      step text,
      text text not null,
      primary key (run, seq)
    );
    create table rampart_server.pause (
      id text collate "C" primary key,
      scope text not null,
      by jsonb not null,
      reason text not null,
      at timestamptz not null default clock_timestamp(),
      until timestamptz
    );
    create table rampart_server.session (
      hash text collate "C" primary key,
      identity jsonb not null,
      created_at timestamptz not null default clock_timestamp(),
      seen_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz not null
    );
    create index session_expired on rampart_server.session (expires_at);
    create table rampart_server.token (
      id text collate "C" primary key,
      hash text collate "C" not null unique,
      name text not null,
      grants jsonb not null,
      created_by jsonb not null,
      created_at timestamptz not null default clock_timestamp(),
      expires_at timestamptz not null,
      revoked_at timestamptz,
      last_used_at timestamptz
    );
    create table rampart_server.ticket (
      kind text collate "C" not null,
      hash text collate "C" not null,
      value jsonb,
      expires_at timestamptz not null,
      primary key (kind, hash)
    );
    create table rampart_server.used_jti (
      issuer text collate "C" not null,
      jti text collate "C" not null,
      expires_at timestamptz not null,
      primary key (issuer, jti)
    );
    create table rampart_server.idempotency (
      subject text collate "C" not null,
      key text collate "C" not null,
      request_hash text not null,
      status integer,
      response jsonb,
      at timestamptz not null default clock_timestamp(),
      primary key (subject, key)
    );
    create table rampart_server.event (
      xid xid8 not null default pg_current_xact_id(),
      id bigint generated always as identity,
      at timestamptz not null default clock_timestamp(),
      type text not null,
      account text collate "C",
      resource text,
      data jsonb not null,
      primary key (xid, id)
    );
    create index event_by_time on rampart_server.event (at);
    create table rampart_server.source (
      name text collate "C" primary key,
      commit text,
      fetched_at timestamptz,
      problem jsonb
    );
    create table rampart_server.notification (
      id bigint generated always as identity primary key,
      channel text collate "C" not null,
      kind text not null,
      account text collate "C",
      topic text not null,
      facts jsonb not null,
      state text not null default 'pending',
      attempts integer not null default 0,
      due_at timestamptz not null default clock_timestamp(),
      created_at timestamptz not null default clock_timestamp(),
      sent_at timestamptz,
      problem text
    );
    create index notification_due on rampart_server.notification (channel, due_at, id)
      where state in ('pending', 'sending');
    create unique index notification_pending on rampart_server.notification
      (channel, kind, topic, (coalesce(account, ''))) where state = 'pending';
    create index notification_of_channel on rampart_server.notification (channel, state, sent_at);
    create table rampart_server.history (
      at timestamptz not null,
      account text collate "C" not null,
      drifted integer not null default 0,
      changes integer not null default 0,
      checks integer not null default 0,
      rate_limited integer not null default 0,
      primary key (at, account)
    );
    create index history_changes on rampart_server.history (at, account) include (changes) where changes > 0`;
