import { parentPort, workerData } from 'node:worker_threads';
import { openPglite } from './open-pglite.ts';
import type { PgliteReply, PgliteRequest, SentError } from './pglite-message.ts';

/**
 * The thread that computes for the embedded database. It works one request after another; the other side decides whose
 * turn it is.
 */
const send = (reply: PgliteReply) => parentPort?.postMessage(reply);

try {
  const pglite = await openPglite(typeof workerData === 'string' ? workerData : undefined);
  const stops = new Map<string, () => Promise<void>>();
  const answer = async ({ kind, text, parameters, rowMode }: PgliteRequest): Promise<unknown> => {
    switch (kind) {
      case 'query':
        return pglite.query(text, [...(parameters ?? [])], rowMode === undefined ? {} : { rowMode });
      case 'exec':
        return pglite.exec(text);
      case 'listen':
        stops.set(
          text,
          await pglite.listen(quoted(text), (payload) =>
            send({ kind: 'notification', channel: text, payload }),
          ),
        );
        return null;
      case 'unlisten':
        await stops.get(text)?.();
        return null;
      case 'close':
        return pglite.close();
    }
  };
  let latest: Promise<void> = Promise.resolve();
  parentPort?.on('message', (request: PgliteRequest) => {
    latest = latest
      .then(() => answer(request))
      .then(
        (value) => send({ kind: 'done', id: request.id, value }),
        (error: unknown) => send({ kind: 'failed', id: request.id, error: sentError(error) }),
      )
      .then(() => {
        if (request.kind === 'close') parentPort?.close();
      });
  });
  send({ kind: 'opened' });
} catch (error) {
  send({ kind: 'not-opened', error: sentError(error) });
}

/** PGlite folds a channel without quotes to lower case. */
function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}

function sentError(error: unknown): SentError {
  const { message, code, constraint, detail } = error as Partial<SentError>;
  return {
    message: message ?? String(error),
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    ...(detail === undefined ? {} : { detail }),
  };
}
