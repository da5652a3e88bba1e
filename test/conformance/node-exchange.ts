import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Exchange, TransportError } from '../../src/service/contract/message.ts';

/** The least that speaks HTTP, so that the suite does not lean on the client it is to judge. */
export function nodeExchange(baseUrl: string): Exchange {
  const open = baseUrl.startsWith('https:') ? httpsRequest : httpRequest;
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      // Left to itself, node:http sends the body of a DELETE without its length.
      const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const outgoing = open(
        new URL(baseUrl.replace(/\/$/, '') + path),
        { method, headers: { ...headers, ...length } },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', (error) => reject(new TransportError(error.message, 'reply-lost')));
          incoming.on('end', () => {
            const pairs = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
            resolve({
              status: incoming.statusCode ?? 0,
              headers: Object.fromEntries(pairs),
              body: new Uint8Array(Buffer.concat(chunks)),
            });
          });
        },
      );
      outgoing.on('error', (error) => reject(new TransportError(error.message, 'reply-lost')));
      outgoing.end(body ?? undefined);
    });
}
