import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AskerPort, answerPglite } from '../../../src/server/database/answer-pglite.ts';
import type { PgliteReply, PgliteRequest } from '../../../src/server/database/pglite-message.ts';
import { startPglite } from '../../../src/server/database/pglite-over-thread.ts';

/**
 * A thread that records its requests instead of a database: `fail` and `exit` in a statement do so, and `notify` sends
 * a notification. The statement `asked` returns the requests so far, and `overlaps` those that arrived before the
 * response to another one.
 */
const thread = `
import { parentPort, workerData } from 'node:worker_threads';
const asked = [];
const overlaps = [];
let open = 0;
if (workerData === 'broken') parentPort.postMessage({ kind: 'not-opened', error: { message: 'damaged', code: 'XX001' } });
else if (workerData === 'crash') throw new Error('crashed');
else if (workerData === 'odd') throw 'no error';
else if (workerData === 'gone') process.exit(0);
else {
  parentPort.on('message', ({ id, ...request }) => {
    const { kind, text } = request;
    const done = (value) => parentPort.postMessage({ kind: 'done', id, value });
    if (text === 'asked') return done({ rows: asked });
    if (text === 'overlaps') return done({ rows: overlaps });
    asked.push(request);
    if (open > 0) overlaps.push(text);
    if (text.includes('exit')) process.exit(0);
    if (text.includes('fail'))
      return parentPort.postMessage({ kind: 'failed', id, error: { message: text, code: '23505', constraint: 'one' } });
    if (text.startsWith('notify ')) parentPort.postMessage({ kind: 'notification', channel: text.slice(7), payload: text });
    const end = { command: asked.some((each) => each.text === 'aborted') ? 'ROLLBACK' : 'COMMIT' };
    open += 1;
    setTimeout(() => {
      open -= 1;
      done(kind === 'exec' ? [end] : { rows: [text], fields: [] });
      if (kind === 'close') parentPort.close();
    }, text === 'slow' || text === 'rollback' ? 20 : 0);
  });
  parentPort.postMessage({ kind: 'opened' });
}
`;

async function start(dataDir?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-thread-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'thread.mjs');
  writeFileSync(file, thread);
  const pglite = await startPglite(pathToFileURL(file), dataDir);
  onTestFinished(() => pglite.close().catch(() => {}));
  const asked = async () =>
    (await pglite.query<PgliteRequest>('asked')).rows.map(({ kind, text }) =>
      kind === 'query' ? text : `${kind} ${text}`,
    );
  const overlaps = async () => (await pglite.query<string>('overlaps')).rows;
  return { pglite, asked, overlaps };
}

describe('the database in a thread', () => {
  test('gets each statement with its parameters and returns the answer', async () => {
    const { pglite } = await start();
    expect(pglite).toMatchObject({ ready: true, closed: false });
    await pglite.waitReady;
    expect(await pglite.query('select 1')).toEqual({ rows: ['select 1'], fields: [] });
    await pglite.query('select $1', [7], { rowMode: 'array' });
    expect(await pglite.exec('vacuum')).toEqual([{ command: 'COMMIT' }]);
    expect((await pglite.query('asked')).rows).toEqual([
      { kind: 'query', text: 'select 1', parameters: [] },
      { kind: 'query', text: 'select $1', parameters: [7], rowMode: 'array' },
      { kind: 'exec', text: 'vacuum' },
    ]);
  });

  test.each([
    ['broken', 'damaged', 'XX001'],
    ['crash', 'crashed', undefined],
    ['odd', 'no error', undefined],
    ['gone', 'the embedded database has ended', '57P01'],
  ])('is not started if it is %s', async (dataDir, message, code) => {
    const failure = await start(dataDir).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message, ...(code === undefined ? {} : { code }) });
  });

  test('is not started if its program is missing', async () => {
    const missing = pathToFileURL(join(tmpdir(), 'rampart-no-such-thread.mjs'));
    await expect(startPglite(missing, undefined)).rejects.toMatchObject({
      code: expect.stringMatching(/MODULE_NOT_FOUND$/),
    });
  });

  test('reports an error with its code, and continues', async () => {
    const { pglite } = await start();
    await expect(pglite.query('fail')).rejects.toMatchObject({
      code: '23505',
      constraint: 'one',
      message: 'fail',
    });
    expect(await pglite.query('select 1')).toMatchObject({ rows: ['select 1'] });
  });

  test('fails all statements once its thread has ended', async () => {
    const { pglite } = await start();
    const ended = { code: '57P01', message: 'the embedded database has ended' };
    const both = await Promise.allSettled([pglite.query('exit'), pglite.query('select 1')]);
    expect(both).toMatchObject([
      { status: 'rejected', reason: ended },
      { status: 'rejected', reason: ended },
    ]);
    await expect(pglite.query('select 2')).rejects.toMatchObject(ended);
  });

  test('leaves no transaction open after a block that failed', async () => {
    const { pglite, asked, overlaps } = await start();
    const failing = pglite.exec('begin; fail');
    const other = pglite.query('other');
    await expect(failing).rejects.toThrow('fail');
    await other;
    expect(await asked()).toEqual(['exec begin; fail', 'exec rollback', 'other']);
    expect(await overlaps()).toEqual([]);
  });

  test('closes once, after all earlier statements', async () => {
    const { pglite } = await start();
    const slow = pglite.query('slow');
    const closing = pglite.close();
    expect(pglite.closed).toBe(true);
    expect(pglite.close()).toBe(closing);
    expect(await slow).toMatchObject({ rows: ['slow'] });
    expect(await closing).toBe(undefined);
    await expect(pglite.query('select 1')).rejects.toMatchObject({ code: '57P01' });
  });
});

describe('a transaction in the thread', () => {
  test('commits what its work did, while others wait', async () => {
    const { pglite, asked, overlaps } = await start();
    const both = await Promise.all([
      pglite.transaction(async ({ query, exec }) => {
        await query('slow');
        await exec('two');
        return 'value';
      }),
      pglite.query('other'),
    ]);
    expect(both).toEqual(['value', { rows: ['other'], fields: [] }]);
    expect(await asked()).toEqual(['exec begin', 'slow', 'exec two', 'exec commit', 'other']);
    expect(await overlaps()).toEqual([]);
  });

  test('returns to each statement its own result, in any order', async () => {
    const { pglite } = await start();
    const both = await pglite.transaction(({ query }) => Promise.all([query('slow'), query('quick')]));
    expect(both.map(({ rows }) => rows)).toEqual([['slow'], ['quick']]);
  });

  test('rolls back if its work fails, and lets others continue', async () => {
    const { pglite, asked, overlaps } = await start();
    const failing = pglite.transaction(async ({ query }) => {
      await query('one');
      throw new Error('refused');
    });
    const other = pglite.query('other');
    await expect(failing).rejects.toThrow('refused');
    expect(await other).toMatchObject({ rows: ['other'] });
    expect(await asked()).toEqual(['exec begin', 'one', 'exec rollback', 'other']);
    expect(await overlaps()).toEqual([]);
  });

  test('rolls back once if its own work does so', async () => {
    const { pglite, asked } = await start();
    const value = await pglite.transaction(async ({ rollback, query }) => {
      await rollback();
      await rollback();
      await expect(query('late')).rejects.toThrow('the transaction has ended');
      return 7;
    });
    expect(value).toBe(7);
    expect(await asked()).toEqual(['exec begin', 'exec rollback']);
  });

  test('accepts no statement after its end', async () => {
    const { pglite, asked } = await start();
    let late: (() => Promise<unknown>) | undefined;
    await pglite.transaction(async ({ exec }) => {
      late = () => exec('late');
    });
    await expect(late?.()).rejects.toThrow('the transaction has ended');
    expect(await asked()).toEqual(['exec begin', 'exec commit']);
  });

  test('fails if the database rolls it back instead of committing', async () => {
    const { pglite, asked } = await start();
    const failing = pglite.transaction(async ({ query }) => query('aborted'));
    await expect(failing).rejects.toMatchObject({ code: '25P02' });
    expect(await asked()).toEqual(['exec begin', 'aborted', 'exec commit']);
  });
});

describe('a listener of the thread', () => {
  test('receives its channel until it stops, and the last one ends the subscription', async () => {
    const { pglite, asked } = await start();
    const heard: string[] = [];
    const stopOne = await pglite.listen('a', (payload) => heard.push(`one ${payload}`));
    const stopTwo = await pglite.listen('a', (payload) => heard.push(`two ${payload}`));
    await pglite.query('notify a');
    await pglite.query('notify b');
    const subscriptions = async () => (await asked()).filter((each) => /listen/.test(each));
    await stopOne();
    await stopOne();
    expect(await subscriptions()).toEqual(['listen a']);
    await pglite.query('notify a');
    await stopTwo();
    expect(await subscriptions()).toEqual(['listen a', 'unlisten a']);
    await stopTwo();
    await pglite.query('notify a');
    expect(heard).toEqual(['one notify a', 'two notify a', 'two notify a']);
    expect(await subscriptions()).toEqual(['listen a', 'unlisten a']);
  });

  test('can stop after the database has closed', async () => {
    const { pglite } = await start();
    const stop = await pglite.listen('a', () => {});
    await pglite.close();
    expect(await stop()).toBe(undefined);
  });
});

describe('the answers of the thread', () => {
  async function given(open?: () => Promise<never>) {
    const replies: PgliteReply[] = [];
    const calls: unknown[][] = [];
    let ask: (request: PgliteRequest) => void = () => {};
    let closed = 0;
    let notify: (payload: string) => void = () => {};
    const port: AskerPort = {
      postMessage: (reply) => replies.push(reply),
      on: (event, listener) => {
        if (event === 'message') ask = listener;
      },
      close: () => {
        closed += 1;
      },
    };
    const database = {
      query: async (...call: unknown[]) => {
        calls.push(['query', ...call]);
        if (call[0] === 'slow') await new Promise((resolve) => setTimeout(resolve, 10));
        if (call[0] === 'fail')
          throw Object.assign(new Error('no'), { code: 'c', constraint: 'k', detail: 'd', other: 1 });
        if (call[0] === 'odd')
          throw Object.assign(new Error('x'), { message: undefined, toString: () => 'odd' });
        return call[0];
      },
      exec: async (text: string) => [text],
      listen: async (channel: string, onNotification: (payload: string) => void) => {
        calls.push(['listen', channel]);
        notify = onNotification;
        return async () => void calls.push(['unlisten', channel]);
      },
      close: async () => void calls.push(['close']),
    };
    await answerPglite(port, open ?? (async () => database as never));
    const settled = async (count: number) => {
      await expect.poll(() => replies.length, { interval: 1 }).toBe(count);
      return replies.slice(1);
    };
    return {
      replies,
      calls,
      ask: (request: PgliteRequest) => ask(request),
      settled,
      notify: (text: string) => notify(text),
      closes: () => closed,
    };
  }

  test('report that it is open, or why not', async () => {
    expect((await given()).replies).toEqual([{ kind: 'opened' }]);
    const broken = async () => Promise.reject(new Error('damaged'));
    expect((await given(broken)).replies).toEqual([{ kind: 'not-opened', error: { message: 'damaged' } }]);
  });

  test('arrive in the order of the requests, even after a failure', async () => {
    const { ask, settled, calls } = await given();
    ask({ id: 1, kind: 'query', text: 'slow', parameters: [1], rowMode: 'array' });
    ask({ id: 2, kind: 'query', text: 'fail' });
    ask({ id: 3, kind: 'query', text: 'odd' });
    ask({ id: 4, kind: 'exec', text: 'x' });
    expect(await settled(5)).toEqual([
      { kind: 'done', id: 1, value: 'slow' },
      { kind: 'failed', id: 2, error: { message: 'no', code: 'c', constraint: 'k', detail: 'd' } },
      { kind: 'failed', id: 3, error: { message: 'odd' } },
      { kind: 'done', id: 4, value: ['x'] },
    ]);
    expect(calls.slice(0, 2)).toEqual([
      ['query', 'slow', [1], { rowMode: 'array' }],
      ['query', 'fail', [], {}],
    ]);
  });

  test('pass on notifications of a channel under its own name', async () => {
    const { ask, settled, calls, notify } = await given();
    ask({ id: 1, kind: 'listen', text: 'A"b' });
    expect(await settled(2)).toEqual([{ kind: 'done', id: 1, value: null }]);
    notify('news');
    ask({ id: 2, kind: 'unlisten', text: 'A"b' });
    ask({ id: 3, kind: 'unlisten', text: 'nothing' });
    expect((await settled(5)).slice(1)).toEqual([
      { kind: 'notification', channel: 'A"b', payload: 'news' },
      { kind: 'done', id: 2 },
      { kind: 'done', id: 3 },
    ]);
    expect(calls).toEqual([
      ['listen', '"A""b"'],
      ['unlisten', '"A""b"'],
    ]);
  });

  test('end with the request to close', async () => {
    const { ask, settled, calls, closes } = await given();
    ask({ id: 1, kind: 'exec', text: 'x' });
    await settled(2);
    expect(closes()).toBe(0);
    ask({ id: 2, kind: 'close', text: '' });
    await settled(3);
    await expect.poll(closes, { interval: 1 }).toBe(1);
    expect(calls).toEqual([['close']]);
  });
});
