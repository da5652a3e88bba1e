import type { PGlite } from '@electric-sql/pglite';
import { defined } from '../../core/lib/defined.ts';
import { createTurns } from '../../core/lib/turns.ts';
import type { PgliteReply, PgliteRequest, SentError } from './pglite-message.ts';

/** The end of a channel to the thread that sends the queries. */
export interface AskerPort {
  postMessage(reply: PgliteReply): void;
  on(event: 'message', listener: (request: PgliteRequest) => void): unknown;
  close(): void;
}

/**
 * Answers the requests that arrive through a port: one after another, because the other side decides whose turn it is.
 * Ends with the request to close.
 */
export async function answerPglite(
  port: AskerPort,
  openDatabase: () => Promise<Pick<PGlite, 'query' | 'exec' | 'listen' | 'close'>>,
): Promise<void> {
  const send = (reply: PgliteReply) => port.postMessage(reply);
  const opened = await openDatabase().catch((error: unknown) => {
    send({ kind: 'not-opened', error: sentError(error) });
  });
  if (opened === undefined) return;
  const pglite = opened;
  const stops = new Map<string, () => Promise<void>>();

  async function answer({ kind, text, parameters = [], rowMode }: PgliteRequest): Promise<unknown> {
    switch (kind) {
      case 'query':
        return pglite.query(text, [...parameters], defined({ rowMode }));
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
        return stops.get(text)?.();
      case 'close':
        return pglite.close();
    }
  }

  const inTurn = createTurns();
  port.on('message', (request) => {
    void inTurn(() => answer(request))
      .then(
        (value) => send({ kind: 'done', id: request.id, value }),
        (error: unknown) => send({ kind: 'failed', id: request.id, error: sentError(error) }),
      )
      .then(() => {
        if (request.kind === 'close') port.close();
      });
  });
  send({ kind: 'opened' });
}

/** PGlite folds a channel without quotes to lower case. */
function quoted(channel: string): string {
  return `"${channel.replaceAll('"', '""')}"`;
}

function sentError(error: unknown): SentError {
  const { message, code, constraint, detail } = error as Partial<SentError>;
  return {
    message: message ?? String(error),
    ...defined({ code, constraint, detail }),
  };
}
