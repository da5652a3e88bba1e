import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** What the thread receives with each query. */
export interface Query {
  readonly url: string;
  readonly sql: string;
}

/** What the thread sends back. */
export type Reply = { readonly lines: string } | { readonly error: string };

interface Thread {
  readonly port: MessagePort;
  readonly signal: Int32Array;
}

let thread: Thread | undefined;

/** Runs SQL and waits for its result, even while a test stops timers: a separate thread talks to the database. */
export function queryNow(url: string, sql: string): string {
  thread ??= startThread();
  const { port, signal } = thread;
  Atomics.store(signal, 0, 0);
  port.postMessage({ url, sql } satisfies Query);
  Atomics.wait(signal, 0, 0, 120_000);
  const reply = receiveMessageOnPort(port)?.message as Reply | undefined;
  if (reply === undefined) throw new Error('the database did not answer within two minutes');
  if ('error' in reply) throw new Error(reply.error);
  return reply.lines;
}

function startThread(): Thread {
  const { port1, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./query-thread.ts', import.meta.url), {
    workerData: { port: port2, signal },
    transferList: [port2],
  });
  worker.unref();
  port1.unref();
  return { port: port1, signal };
}
