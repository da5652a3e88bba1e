import type { Clock } from '../../../src/core/lib/surroundings.ts';
import type { Store } from '../../../src/server/store/open-store.ts';
import { createStateRecords, holdsLease, type StateRecords } from '../state/memory-state.ts';
import { type StoreFunctions, storeOn } from '../store/memory-store.ts';
import { createTables, type DraftTables, draftTables, type Tables } from '../store/tables.ts';
import type { Machine } from '../time/machine.ts';

/**
 * When the database fails at a commit: before it, so that the change is lost, or after it, so that only the response
 * is.
 */
export type CommitLoss = 'before' | 'after';

/** The database of a cluster: the tables of the store and the records of the shared state. */
export interface Database {
  readonly tables: Tables;
  readonly records: StateRecords;
  now(): number;
  /** The store as a process on this machine sees it. */
  storeFor(machine: Machine): Store;
  /** Works one statement for a process on this machine. */
  statementFor(machine: Machine): <T>(work: () => T) => Promise<T>;
  /** The same for a statement that changes nothing. */
  readFor(machine: Machine): <T>(work: () => T) => Promise<T>;
  /** Throws if the database is away. */
  mustAnswer(): void;
  /** Whether it has been away since that time. */
  hasFailedSince(time: number): boolean;
  /** Fails at the next change, and is away for this long. Open transactions are lost. */
  failOver(loss: CommitLoss, forMs: number): void;
  /** Ends the transactions of a machine that does not continue them, as the database does after ten seconds. */
  forget(machine: Machine): void;
}

export interface DatabaseParts {
  readonly world: Clock;
  readonly newId: () => string;
  /** Called after each change. */
  readonly onChange: () => void;
}

const idleMs = 10_000;

interface Transaction {
  readonly machine: Machine;
  readonly tables: DraftTables;
  isOver: boolean;
  end(): void;
}

/** Functions of the store that only read. */
const reads =
  /^(find|list|of|ended|document|rejected|overdue|schedules|waiting|held|holders|read|due|digestsOf)$/;

export function createDatabase({ world, newId, onChange }: DatabaseParts): Database {
  const tables = createTables();
  const records = createStateRecords();
  const now = () => world.now();
  const isHeld = holdsLease(records, now);
  let awayUntil = 0;
  let loss: { readonly at: CommitLoss; readonly forMs: number } | undefined;
  let turn: Promise<void> = Promise.resolve();
  const open = new Set<Transaction>();

  const mustAnswer = () => {
    if (now() < awayUntil) throw broken();
  };
  /** Changes wait for each other, as for the locks of rows. */
  const lock = async (): Promise<() => void> => {
    const before = turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    turn = promise;
    await before;
    return resolve;
  };
  const goAway = (forMs: number) => {
    awayUntil = Math.max(awayUntil, now() + forMs);
    loss = undefined;
    for (const each of open) each.end();
  };
  /** Makes a change durable, unless the database fails at this moment. */
  const durably = <T>(work: () => T): T => {
    mustAnswer();
    if (loss === undefined) {
      const value = work();
      onChange();
      return value;
    }
    const { at, forMs } = loss;
    loss = undefined;
    if (at === 'after') {
      work();
      onChange();
    }
    goAway(forMs);
    throw broken();
  };
  const change = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await lock();
    try {
      mustAnswer();
      // The functions of the store in memory do all their work before they first wait.
      return await durably(work);
    } finally {
      release();
    }
  };

  const begin = async (machine: Machine): Promise<Transaction> => {
    const release = await lock();
    try {
      mustAnswer();
    } catch (error) {
      release();
      throw error;
    }
    const transaction: Transaction = {
      machine,
      tables: draftTables(tables),
      isOver: false,
      end() {
        if (transaction.isOver) return;
        transaction.isOver = true;
        open.delete(transaction);
        release();
      },
    };
    open.add(transaction);
    if (machine.state !== 'up') void endIfIdle(transaction);
    return transaction;
  };
  const endIfIdle = async (transaction: Transaction) => {
    await world.sleep(idleMs);
    if (transaction.machine.state !== 'up') transaction.end();
  };

  const transact = async <T>(machine: Machine, work: (store: Store) => Promise<T>): Promise<T> => {
    const transaction = await machine.reach(() => begin(machine));
    const mustBeOpen = () => {
      if (transaction.isOver) throw broken();
    };
    const inside = through(storeOn(transaction.tables, { now, newId, isHeld }), (call) =>
      machine.reach(async () => {
        mustBeOpen();
        return call();
      }),
    );
    let value: T;
    const own: Store = Object.assign(inside, {
      audit: () => {},
      transaction: (more: (store: Store) => Promise<unknown>) => more(own),
    }) as unknown as Store;
    try {
      value = await work(own);
    } catch (error) {
      transaction.end();
      throw error;
    }
    await machine.reach(async () => {
      mustBeOpen();
      try {
        durably(() => transaction.tables.commit());
      } finally {
        transaction.end();
      }
    });
    return value;
  };

  return {
    tables,
    records,
    now,
    mustAnswer,
    hasFailedSince: (time) => awayUntil >= time,
    storeFor(machine) {
      const store = through(storeOn(tables, { now, newId, isHeld }), (call, name) =>
        machine.reach(async () => {
          mustAnswer();
          return reads.test(name) ? call() : change(call);
        }),
      );
      return Object.assign(store, {
        transaction: <T>(work: (own: Store) => Promise<T>) => transact(machine, work),
      }) as unknown as Store;
    },
    statementFor: (machine) => (work) => machine.reach(async () => durably(work)),
    readFor: (machine) => (work) =>
      machine.reach(async () => {
        mustAnswer();
        return work();
      }),
    failOver(at, forMs) {
      loss = { at, forMs };
    },
    forget(machine) {
      for (const each of open) if (each.machine === machine) void endIfIdle(each);
    },
  };
}

/** As the driver reports a connection that the database ended. */
function broken(): Error {
  return Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
}

/** The same functions, each called through `send`. A function that is not simulated fails loudly. */
function through(
  store: StoreFunctions,
  send: (call: () => Promise<unknown>, name: string) => Promise<unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(store).map(([noun, functions]) => [
      noun,
      Object.fromEntries(
        Object.entries(functions).map(([name, call]) => [
          name,
          (...given: unknown[]) =>
            send(() => (call as (...all: unknown[]) => Promise<unknown>)(...given), name),
        ]),
      ),
    ]),
  );
}
