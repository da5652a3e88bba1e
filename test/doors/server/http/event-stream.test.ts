import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Person } from './given-api.ts';
import { givenApi } from './given-api.ts';

const api = givenApi({ heartbeatMs: 50 });

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
      if (frame.id === '') continue;
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
  test('sends what happens after it was opened, with the position from the start', async () => {
    const frames = await read('admin', isLast('one-b'), {
      onReady: () => void append('one-a').then(() => append('one-b')),
    });
    expect(frames[0]?.event).toBe('ready');
    expect(resources(frames)).toEqual(['one-a', 'one-b']);
  });

  test('continues after an event without losing or repeating one, also while others are appended', async () => {
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
    expect(resources(frames)).toEqual(['three-all', 'three-end']);
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

  test('is refused without a token', async () => {
    expect((await fetch(`${api.url}/api/v1/events`)).status).toBe(401);
  });

  test('ends when the server stops', async () => {
    const frames = await read('admin', () => false, { onReady: () => void api.http.close() });
    expect(resources(frames)).toEqual([]);
  });
});
