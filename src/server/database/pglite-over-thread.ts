import { Worker } from 'node:worker_threads';
import { createTurns } from '../../core/lib/turns.ts';
import type { PgliteReply, PgliteRequest, SentError } from './pglite-message.ts';

export interface PgliteRows<Row> {
  readonly rows: Row[];
  readonly affectedRows?: number;
  readonly fields: { name: string; dataTypeID: number }[];
}

export interface PgliteTransaction {
  query<Row>(text: string, parameters?: unknown[], options?: PgliteOptions): Promise<PgliteRows<Row>>;
  exec(text: string): Promise<PgliteRows<Record<string, unknown>>[]>;
  rollback(): Promise<void>;
}

export interface PgliteOptions {
  readonly rowMode?: 'array' | 'object';
}

/**
 * PGlite in its own thread, with the part of its interface that Kysely and pg-boss use. Each statement and each
 * transaction is exclusive: everyone else waits until it ends.
 */
export interface ThreadedPglite extends Omit<PgliteTransaction, 'rollback'> {
  readonly ready: boolean;
  readonly closed: boolean;
  readonly waitReady: Promise<void>;
  transaction<Value>(work: (transaction: PgliteTransaction) => Promise<Value>): Promise<Value>;
  /** Calls `onNotification` for each notification on a channel. Returns how to stop. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

type Ask = (request: Omit<PgliteRequest, 'id'>) => Promise<unknown>;

/** Starts the thread. Rejects if the database can't be opened; `dataDir` undefined keeps it in memory. */
export async function startPglite(threadFile: URL, dataDir: string | undefined): Promise<ThreadedPglite> {
  const { ask, heard } = await startThread(new Worker(threadFile, { workerData: dataDir }));
  const inTurn = createTurns();
  let closed: Promise<void> | undefined;
  const plain = statementsOf(ask);
  return {
    ready: true,
    waitReady: Promise.resolve(),
    get closed() {
      return closed !== undefined;
    },
    query: (text, parameters, options) => inTurn(() => plain.query(text, parameters, options)),
    exec: (text) =>
      inTurn(async () => {
        try {
          return await plain.exec(text);
        } catch (error) {
          // A block that failed after its BEGIN must not leave its transaction to the next statement.
          await plain.exec('rollback');
          throw error;
        }
      }),
    transaction: (work) => inTurn(() => inTransaction(plain, work)),
    async listen(channel, onNotification) {
      const listeners = heard.get(channel) ?? new Set();
      heard.set(channel, listeners);
      const listener = (payload: string) => onNotification(payload);
      listeners.add(listener);
      if (listeners.size === 1) await inTurn(() => ask({ kind: 'listen', text: channel }));
      return async () => {
        if (!listeners.delete(listener) || listeners.size > 0 || closed !== undefined) return;
        await inTurn(() => ask({ kind: 'unlisten', text: channel }));
      };
    },
    close: () => (closed ??= inTurn(() => ask({ kind: 'close', text: '' }).then(() => undefined))),
  };
}

function statementsOf(ask: Ask): Omit<PgliteTransaction, 'rollback'> {
  return {
    query: <Row>(text: string, parameters: unknown[] = [], { rowMode }: PgliteOptions = {}) =>
      ask({
        kind: 'query',
        text,
        parameters,
        ...(rowMode === undefined ? {} : { rowMode }),
      }) as Promise<PgliteRows<Row>>,
    exec: (text) => ask({ kind: 'exec', text }) as Promise<PgliteRows<Record<string, unknown>>[]>,
  };
}

async function inTransaction<Value>(
  { query, exec }: Omit<PgliteTransaction, 'rollback'>,
  work: (transaction: PgliteTransaction) => Promise<Value>,
): Promise<Value> {
  let open = true;
  const rollback = async () => {
    if (!open) return;
    open = false;
    await exec('rollback');
  };
  const whileOpen = <Args extends unknown[], Reply>(ask: (...args: Args) => Promise<Reply>) =>
    (async (...args: Args) => {
      if (!open) throw new Error('the transaction has ended');
      return ask(...args);
    }) as (...args: Args) => Promise<Reply>;
  await exec('begin');
  try {
    const value = await work({ query: whileOpen(query) as typeof query, exec: whileOpen(exec), rollback });
    if (!open) return value;
    open = false;
    const [end] = (await exec('commit')) as readonly { readonly command?: string }[];
    // PostgreSQL's response to the end of a transaction in which a statement failed.
    if (end?.command === 'ROLLBACK')
      throw Object.assign(new Error('the transaction was rolled back because a statement in it failed'), {
        code: '25P02',
      });
    return value;
  } catch (error) {
    await rollback();
    throw error;
  }
}

type Listeners = Map<string, Set<(payload: string) => void>>;

function startThread(worker: Worker): Promise<{ readonly ask: Ask; readonly heard: Listeners }> {
  const heard: Listeners = new Map();
  const asked = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let requests = 0;
  let ended: Error | undefined;
  return new Promise((opened, notOpened) => {
    const end = (error: Error) => {
      ended ??= error;
      notOpened(ended);
      for (const { reject } of asked.values()) reject(ended);
    };
    const ask: Ask = (request) => {
      if (ended !== undefined) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        requests += 1;
        asked.set(requests, { resolve, reject });
        worker.postMessage({ ...request, id: requests } satisfies PgliteRequest);
      });
    };
    worker.on('message', (reply: PgliteReply) => {
      switch (reply.kind) {
        case 'opened':
          opened({ ask, heard });
          break;
        case 'not-opened':
          end(toError(reply.error));
          break;
        case 'notification':
          for (const listener of heard.get(reply.channel) ?? []) listener(reply.payload);
          break;
        case 'done':
        case 'failed':
          if (reply.kind === 'done') asked.get(reply.id)?.resolve(reply.value);
          else asked.get(reply.id)?.reject(toError(reply.error));
          asked.delete(reply.id);
      }
    });
    worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
    // The code is that of a server that shuts down.
    worker.on('exit', () =>
      end(Object.assign(new Error('the embedded database has ended'), { code: '57P01' })),
    );
  });
}

function toError({ message, ...details }: SentError): Error {
  return Object.assign(new Error(message), details);
}
