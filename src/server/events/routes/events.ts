import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { serverEvent } from '../../../api/overview.ts';
import { problem } from '../../../core/problem/problem.ts';
import { problemAnswer } from '../../http/problem-answer.ts';
import { route } from '../../http/route.ts';
import { senderAddress } from '../../http/sender-address.ts';
import { eventStream } from './event-stream.ts';

/** Often enough that proxies keep the connection, and that a stream ends soon after its session. */
const heartbeatMs = 20_000;
/** Streams of one person, token or pipeline. */
const mostStreams = 50;
/** Streams of one network address: many people may share one. */
const mostOfAddress = 200;
/** Streams of one process. Each keeps up to 1 MiB for a slow reader. */
const mostInAll = 1_000;

const open = new Map<string, number>();
const ofAddress = new Map<string, number>();
let inAll = 0;

function leave(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}

export const eventRoutes = [
  route({
    id: 'streamEvents',
    method: 'get',
    path: '/api/v1/events',
    tag: 'Events',
    summary:
      'Follow changes as server-sent events. The header Last-Event-ID, or the parameter, resumes after an event.',
    access: { action: 'read', on: 'accounts' },
    query: z.object({ last_event_id: z.string().max(60).optional() }),
    answer: serverEvent,
    media: 'text/event-stream',
    async handle({ query, visible, parts, identity, peer, request, signal, hub }) {
      const owner = `${identity.subject.kind} ${identity.subject.id}`;
      const streams = open.get(owner) ?? 0;
      if (streams >= mostStreams) return problemAnswer([tooMany], { headers: { 'retry-after': '30' } });
      const sender = senderAddress(request, peer);
      const sent = ofAddress.get(sender) ?? 0;
      if (sent >= mostOfAddress) return problemAnswer([tooManyHere], { headers: { 'retry-after': '30' } });
      if (inAll >= mostInAll) return problemAnswer([isFull], { headers: { 'retry-after': '30' } });
      inAll += 1;
      open.set(owner, streams + 1);
      ofAddress.set(sender, sent + 1);
      const ended = AbortSignal.any([
        signal,
        ...(identity.expiresAt === null ? [] : [AbortSignal.timeout(msUntil(identity.expiresAt))]),
      ]);
      const stream = eventStream({
        store: parts.store,
        hub,
        visible,
        after: request.headers.get('last-event-id') ?? query.last_event_id,
        signal: ended,
        // A reader whose grants have changed connects again, and sees what they allow now.
        isAlive: async () => {
          const now = await parts.identify(request, peer);
          return 'subject' in now && isDeepStrictEqual(now.grants, identity.grants);
        },
        onEnd: () => {
          inAll -= 1;
          leave(open, owner);
          leave(ofAddress, sender);
        },
        heartbeatMs: parts.heartbeatMs ?? heartbeatMs,
      });
      return new Response(stream, {
        headers: {
          'content-type': 'text/event-stream',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        },
      });
    },
  }),
];

const tooMany = problem('rate-limited', 'You have too many event streams open', {
  hint: 'close some of them',
});

const tooManyHere = problem('rate-limited', 'Your network address has too many event streams open', {
  hint: 'close some of them, or connect from another address',
});

const isFull = problem('rate-limited', 'The server has too many event streams open', {
  hint: 'connect again later, or to another server',
});

/** A timer takes 32 bits. A stream that lasts longer is checked at each heartbeat anyway. */
function msUntil(time: string): number {
  return Math.min(Math.max(0, Date.parse(time) - Date.now()), 2 ** 31 - 1);
}
