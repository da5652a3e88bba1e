import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CallerIdentity } from '../../../../src/api/access/grants.ts';
import type { EventRecord } from '../../../../src/server/events/records/events.ts';
import { eventStream } from '../../../../src/server/events/routes/event-stream.ts';
import { identifyBy } from '../../http/given.ts';
import type { Person } from '../../http/given-api.ts';
import { givenApi, people } from '../../http/given-api.ts';

const readers: Record<string, Partial<CallerIdentity>> = { ...people };
const api = givenApi({ heartbeatMs: 50, identify: identifyBy(readers) });

interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Reads frames until `until` holds for one of them, then leaves. */
async function read(
  as: Person,
  until: (frame: Frame) => boolean,
  { last, onReady }: { last?: string; onReady?: () => void } = {},
): Promise<readonly Frame[]> {
  const response = await fetch(`${api.url}/api/v1/events`, {
    headers: { authorization: `Bearer ${as}`, ...(last === undefined ? {} : { 'last-event-id': last }) },
  });
  const frames: Frame[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of response.body ?? []) {
    const blocks = (rest + decoder.decode(piece)).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string]));
      const frame = {
        id: fields.get('id') ?? '',
        event: fields.get('event') ?? 'message',
        data: fields.get('data') ?? '',
      };
      if (frame.event === 'ready') onReady?.();
      if (frame.id === '' && frame.event !== 'reset') continue;
      frames.push(frame);
      // Leaving the loop closes the connection.
      if (until(frame)) return frames;
    }
  }
  return frames;
}

const append = (resource: string, account: string | null = 'berlin') =>
  api.store.events.append({ type: 'plan.changed', account, resource, data: {} });
const resources = (frames: readonly Frame[]) =>
  frames.filter(({ event }) => event === 'message').map(({ data }) => JSON.parse(data).resource as string);
const isLast = (resource: string) => (frame: Frame) => frame.data.includes(`"resource":"${resource}"`);

describe('the stream of events', () => {
  test('sends events that happen after it was opened, with the starting position', async () => {
    const frames = await read('admin', isLast('one-b'), {
      onReady: () => void append('one-a').then(() => append('one-b')),
    });
    expect(frames[0]?.event).toBe('ready');
    expect(resources(frames)).toEqual(['one-a', 'one-b']);
  });

  test('continues after an event without losing or repeating one, even while others are appended', async () => {
    const numbers = Array.from({ length: 60 }, (_, index) => `two-${index}`);
    const first = await read('admin', isLast('two-0'), { onReady: () => void append('two-0') });
    const appending = (async () => {
      for (const resource of numbers.slice(1)) {
        await append(resource);
        await pause(1);
      }
    })();
    const seen = [...resources(first)];
    let last = first.at(-1)?.id ?? '';
    while (seen.at(-1) !== numbers.at(-1)) {
      let count = 0;
      const frames = await read(
        'admin',
        (frame) => {
          if (frame.event === 'message') count += 1;
          return count === 7 || isLast('two-59')(frame);
        },
        { last },
      );
      seen.push(...resources(frames));
      last = frames.at(-1)?.id ?? last;
    }
    await appending;
    expect(seen).toEqual(numbers);
  });

  test('leaves out the accounts that the reader may not see', async () => {
    const frames = await read('european', isLast('three-end'), {
      onReady: () =>
        void append('three-denver', 'denver')
          .then(() => append('three-all', null))
          .then(() => append('three-end')),
    });
    expect(resources(frames)).toEqual([null, 'three-end']);
  });

  test('sends a reader who does not see all accounts only the fact that something of several accounts changed', async () => {
    const foreign = ['rollout.changed', 'account.changed', 'plan.changed'] as const;
    const all = async () => {
      for (const type of foreign)
        await api.store.events.append({
          type,
          account: null,
          resource: 'foreign-1',
          data: { pause: 'foreign-2' },
        });
      for (const type of ['source.changed', 'notification.changed'] as const)
        await api.store.events.append({ type, account: null, resource: 'foreign-3' });
      await append('seven-end');
    };
    const live = await read('european', isLast('seven-end'), { onReady: () => void all() });
    const again = await read('european', isLast('seven-end'), { last: live[0]?.id ?? '' });
    for (const frames of [live, again]) {
      expect(JSON.stringify(frames)).not.toContain('foreign');
      const bodies = frames.filter(({ event }) => event === 'message').map(({ data }) => JSON.parse(data));
      expect(bodies.map(({ type }) => type)).toEqual([...foreign, 'plan.changed']);
      expect(bodies.slice(0, 3).map(({ resource, data }) => [resource, data])).toEqual(
        foreign.map(() => [null, {}]),
      );
    }
    const admin = await read('admin', isLast('seven-end'), { last: live[0]?.id ?? '' });
    expect(resources(admin)).toEqual([
      ...Array<string>(3).fill('foreign-1'),
      'foreign-3',
      'foreign-3',
      'seven-end',
    ]);
  });

  test('serves many readers at once', async () => {
    let ready = 0;
    const onReady = () => {
      ready += 1;
      if (ready === 40) void append('four');
    };
    const readers = Array.from({ length: 40 }, () => read('viewer', isLast('four'), { onReady }));
    for (const frames of await Promise.all(readers)) expect(resources(frames)).toEqual(['four']);
  });

  test('begins now, with the advice to read again, after an id of another database or of no event', async () => {
    await append('five-old');
    for (const last of [
      '9223372036854775807-1',
      '18446744073709551616-5',
      'x',
      "0-0' or 1=1",
      '-1-1',
      '1'.repeat(9_000),
    ]) {
      const frames = await read('admin', ({ event }) => event === 'ready', { last });
      expect(frames.map(({ event }) => event)).toEqual(['reset', 'ready']);
    }
  });

  test('is limited for each caller, and a stream that ends makes room', async () => {
    const streams: AbortController[] = [];
    // Node closes the connection of a response without references.
    const answers: Response[] = [];
    const connect = async () => {
      const stop = new AbortController();
      streams.push(stop);
      const answer = await fetch(`${api.url}/api/v1/events`, {
        headers: { authorization: 'Bearer viewer' },
        signal: stop.signal,
      });
      answers.push(answer);
      return answer;
    };
    for (let at = 0; at < 50; at += 1) expect((await connect()).status).toBe(200);
    const refused = await connect();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await refused.json()).toMatchObject({ code: 'rate-limited' });
    expect(answers).toHaveLength(51);
    for (const each of streams) each.abort();
    await expect.poll(async () => (await connect()).status, { timeout: 10_000 }).toBe(200);
    streams.at(-1)?.abort();
  });

  test('is limited for each address behind a proxy, whoever opens it', async () => {
    const streams: AbortController[] = [];
    const answers: Response[] = [];
    const connect = async (as: Person, address: string) => {
      const stop = new AbortController();
      streams.push(stop);
      const answer = await fetch(`${api.url}/api/v1/events`, {
        // A proxy adds the last address. The ones before it come from the client.
        headers: { authorization: `Bearer ${as}`, 'x-forwarded-for': `${streams.length}.1.1.1, ${address}` },
        signal: stop.signal,
      });
      answers.push(answer);
      return answer;
    };
    const people = ['admin', 'european', 'europeanBoth', 'both'] as const;
    await Promise.all(people.flatMap((as) => Array.from({ length: 50 }, () => connect(as, '203.0.113.7'))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await connect('ada', '203.0.113.7');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('network address') });
    expect((await connect('ada', '203.0.113.8')).status).toBe(200);
    expect(answers).toHaveLength(202);
    for (const each of streams) each.abort();
    await expect
      .poll(async () => (await connect('ada', '203.0.113.7')).status, { timeout: 10_000 })
      .toBe(200);
    streams.at(-1)?.abort();
  });

  test('is refused without a token', async () => {
    expect((await fetch(`${api.url}/api/v1/events`)).status).toBe(401);
  });

  test("ends when its reader's grants become narrower, and shows less to the reader who comes back", async () => {
    const before = await read('grace', () => false, {
      onReady: () => {
        readers['grace'] = { ...people.grace, grants: [{ role: 'viewer', where: 'region == "us"' }] };
      },
    });
    expect(before.map(({ event }) => event)).toEqual(['ready']);
    const after = await read('grace', isLast('narrow-denver'), {
      onReady: () => void append('narrow-berlin').then(() => append('narrow-denver', 'denver')),
    });
    readers['grace'] = people.grace;
    expect(resources(after)).toEqual(['narrow-denver']);
  });

  test('ends when the server stops', async () => {
    const frames = await read('admin', () => false, { onReady: () => void api.http.close() });
    expect(resources(frames)).toEqual([]);
  });
});

describe('a reader of events that never reads', () => {
  const event = (id: number): EventRecord => ({
    id: `1-${id}`,
    at: new Date(0),
    type: 'plan.changed',
    account: 'berlin',
    resource: 'x'.repeat(1_000),
    data: {},
  });
  const given = (page: readonly EventRecord[] = []) => {
    let deliver: ((events: readonly EventRecord[]) => void) | undefined;
    let ended = 0;
    const stream = eventStream({
      store: {
        events: { latest: async () => '1-0', canResume: async () => true, after: async () => page },
      } as unknown as Parameters<typeof eventStream>[0]['store'],
      hub: {
        subscribe: (to) => {
          deliver = to;
          return () => (deliver = undefined);
        },
        close: async () => {},
      },
      visible: 'all',
      after: page.length === 0 ? undefined : '1-0',
      signal: new AbortController().signal,
      isAlive: async () => true,
      onEnd: () => (ended += 1),
      heartbeatMs: 60_000,
    });
    return {
      stream,
      deliver: (events: readonly EventRecord[]) => deliver?.(events),
      isSubscribed: () => deliver !== undefined,
      ended: () => ended,
    };
  };

  test('is disconnected once about 1 MiB waits for it', async () => {
    const { deliver, isSubscribed, ended } = given();
    await pause(10);
    let sent = 0;
    while (isSubscribed() && sent < 10_000) deliver([event((sent += 1))]);
    expect(ended()).toBe(1);
    expect(sent).toBeGreaterThan(800);
    expect(sent).toBeLessThan(1_100);
  });

  test('is disconnected during catch-up, too', async () => {
    const { isSubscribed, ended } = given(Array.from({ length: 500 }, (_, at) => event(at + 1)));
    await expect.poll(isSubscribed).toBe(false);
    expect(ended()).toBe(1);
  });
});
