/**
 * Where the time of a takeover goes. Triggers in the database of the soak note when a job of a run changes its state and
 * when a lease changes its holder, all by the database's clock.
 */

/** Creates the triggers. Their table lives in its own schema, which the server does not know. */
export const notePhases = `
  create schema soak;
  create table soak.moment (at timestamptz not null default clock_timestamp(), what text not null, key text not null);
  create index on soak.moment (key, at);
  create function soak.note_job() returns trigger language plpgsql as $$ begin
    insert into soak.moment (what, key) values (new.state, new.singleton_key);
    return null;
  end $$;
  create function soak.note_lease() returns trigger language plpgsql as $$ begin
    insert into soak.moment (what, key) values ('lease ' || new.epoch, new.account);
    return null;
  end $$;
  create trigger note_insert after insert on rampart_queue.job_common for each row
    when (new.name = 'run.1' and new.state = 'retry') execute function soak.note_job();
  create trigger note_update after update of state on rampart_queue.job_common for each row
    when (new.name = 'run.1') execute function soak.note_job();
  create trigger note_lease after update of epoch on rampart.lease for each row execute function soak.note_lease()`;

export interface HeldLease {
  readonly by: 'kill' | 'freeze';
  /** When its process was killed or frozen, in milliseconds since the epoch. */
  readonly at: number;
  /** The key of its account. */
  readonly key: string;
  /** The name of its account, which is the key of its job. */
  readonly account: string;
  readonly epoch: number;
  /** When it lapses if nobody renews it, in milliseconds since the epoch. */
  readonly until: number;
}

/** Seconds from the fault to each phase; null if it was not seen. */
export interface TakeoverPhases {
  /** The lease may be taken. */
  readonly lapsed: number;
  /** The queue noticed that the worker of the job was lost. */
  readonly lost: number | null;
  /** Another worker took the job. */
  readonly taken: number | null;
  /** That worker took the lease. */
  readonly locked: number | null;
  /** The run continued: its journal began. */
  readonly begun: number;
  /** How often the job was taken until then: more than once if another fault hit the next worker too. */
  readonly workers: number;
}

type Query = (sql: string) => string;

/** The phases of the takeover of a lease; undefined if nobody had to take it over. */
export function phasesOf(
  { at, key, account, epoch, until }: HeldLease,
  query: Query,
): TakeoverPhases | undefined {
  const since = `timestamptz '${new Date(at).toISOString()}'`;
  const begun = query(
    `select extract(epoch from min(started_at) - ${since}) from rampart.run
     where account = '${key}' and (head ->> 'epoch')::integer > ${epoch}`,
  );
  if (begun === '') return undefined;
  const first = (whose: string, what: string, after = 0) => {
    const found = query(
      `select extract(epoch from min(at) - ${since}) from soak.moment
       where key = '${whose}' and ${what} and at > ${since} + interval '${after} s'`,
    );
    return found === '' ? null : Number(found);
  };
  const lost = first(account, `what = 'retry'`);
  const workers = query(
    `select count(*) from soak.moment where key = '${account}' and what = 'active'
       and at between ${since} and ${since} + interval '${begun} s'`,
  );
  return {
    lapsed: (until - at) / 1_000,
    lost,
    taken: lost === null ? null : first(account, `what = 'active'`, lost),
    locked: first(key, `what like 'lease %' and split_part(what, ' ', 2)::integer > ${epoch}`),
    begun: Number(begun),
    workers: Number(workers),
  };
}
