import { describe, it } from 'vitest';
import { basic, type Reply, type Send, sender } from '../service/emulator/calls.ts';
import { nodeExchange } from './node-exchange.ts';
import { readingRules } from './rules/reading.ts';

const { RAMPART_BASE_URL: baseUrl, RAMPART_COMPANY_ID: companyId, RAMPART_PSK: psk } = process.env;
const given = baseUrl !== undefined && companyId !== undefined && psk !== undefined;
const tenMinutes = 600_000;

if (!given) {
  console.info('No real service: RAMPART_BASE_URL, RAMPART_COMPANY_ID and RAMPART_PSK are not all set.');
}

describe.skipIf(!given)('a real service, reading only', () => {
  const send = sparing(sender(nodeExchange(baseUrl ?? ''), basic(companyId ?? '', psk ?? '')));
  it.each(readingRules)('$title', ({ check }) => check(send), tenMinutes);
});

/** Sends only GETs, each of them once, and waits if the service reports a limit. */
function sparing(plain: Send): Send {
  const replies = new Map<string, Promise<Reply>>();
  return (method, path, body, extra) => {
    if (method !== 'GET') throw new Error('only reads may be sent to a real service');
    const key = `${path} ${extra?.headers?.['authorization'] ?? ''}`;
    const known = replies.get(key) ?? patiently(() => plain(method, path, body, extra));
    replies.set(key, known);
    return known;
  };
}

async function patiently(call: () => Promise<Reply>): Promise<Reply> {
  const reply = await call();
  if (reply.status !== 429) return reply;
  const seconds = Number(reply.json?.retryDelay ?? 60);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  return call();
}
