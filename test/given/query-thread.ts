import { type MessagePort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { Query, Reply } from './query-now.ts';

const { port, signal } = workerData as { readonly port: MessagePort; readonly signal: Int32Array };

port.on('message', (query: Query) => {
  void answer(query).then((reply) => {
    port.postMessage(reply);
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
  });
});

async function answer({ url, sql }: Query): Promise<Reply> {
  const client = new pg.Client({
    connectionString: url,
    types: { getTypeParser: () => (text: string) => text },
  });
  try {
    await client.connect();
    const results = await client.query<(string | null)[]>({ text: sql, rowMode: 'array' });
    // Several statements have several results, which are missing from the driver's types.
    const lines = [results]
      .flat()
      .flatMap(({ rows }) => rows.map((row) => row.map((cell) => cell ?? '').join('|')));
    return { lines: lines.join('\n') };
  } catch (error) {
    return { error: String(error) };
  } finally {
    await client.end().catch(() => {});
  }
}
