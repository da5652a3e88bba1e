import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenHttp } from '../../../src/server/http/listen.ts';
import { readBody } from '../../../src/server/http/read-body.ts';

async function answerTo(text: string): Promise<string> {
  const listening = await listenHttp(
    async (request) => {
      const body = await readBody(request);
      return new Response(body.ok ? body.value : 'refused');
    },
    { host: '127.0.0.1', port: 0 },
    { headersMs: 100, requestMs: 200 },
  );
  if (!listening.ok) throw new Error('not listening');
  onTestFinished(() => listening.value.close());
  const socket = connect(listening.value.port, '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (piece) => {
    answer += String(piece);
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

test('a client that never ends its headers is disconnected with a problem', async () => {
  const answer = await answerTo('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"timed-out"/);
});

test('a client that never ends its body is disconnected', async () => {
  const answer = await answerTo(
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a',
  );
  expect(answer).not.toMatch(/^HTTP\/1\.1 200/);
});

test('a port that another program uses is a problem with what to do', async () => {
  const first = await listenHttp(() => new Response(''), { host: '127.0.0.1', port: 0 });
  if (!first.ok) throw new Error('not listening');
  onTestFinished(() => first.value.close());
  const second = await listenHttp(() => new Response(''), { host: '127.0.0.1', port: first.value.port });
  expect(second).toMatchObject({
    ok: false,
    problems: [
      {
        code: 'configuration',
        message: expect.stringContaining('another program uses this port'),
        hint: 'choose another address with --listen, or with server.listen in rampart.config.yaml',
      },
    ],
  });
});
