import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createClient, type ServerEvent } from '../../../src/api/client/index.ts';
import { readFences } from '../../docs/read-page.ts';
import { listen } from '../../given/loopback.ts';
import { givenApi } from '../../server/http/given-api.ts';

const api = givenApi();
const root = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
const clientOf = (token = 'admin') => createClient({ url: api.url, token });

describe('the client of the server', () => {
  test("returns the server's responses with their ETags", async () => {
    const account = await clientOf().getAccount({ name: 'berlin' });
    expect(account).toMatchObject({ ok: true, status: 200, value: { name: 'berlin', health: 'drifted' } });
    const hosts = await clientOf().listHosts({ q: 'BER-WEB-1', drifted: 'true' });
    expect(hosts.ok && hosts.value.items.map(({ host_id }) => host_id)).toEqual(['101']);
  });

  test('returns problems of the server as values', async () => {
    const missing = await clientOf().getAccount({ name: 'a/../b' });
    expect(missing).toMatchObject({ ok: false, status: 404, problem: { code: 'not-found' } });
    const refused = await clientOf('nobody').getMe();
    expect(refused).toMatchObject({ ok: false, status: 401, problem: { code: 'not-authenticated' } });
  });

  test.each(['.', '..'])('sends nothing to another resource for the id %s', async (id) => {
    let sent = 0;
    const client = createClient({
      url: api.url,
      token: 'admin',
      fetch: async () => {
        sent += 1;
        return Response.json({});
      },
    });
    const result = await client.approvePlan({ id, body: { checksum: 'a'.repeat(64) } });
    expect(result).toMatchObject({ ok: false, problem: { code: 'not-found' } });
    expect(sent).toBe(0);
  });

  test('writes with an idempotency key, and refuses a resource that has changed', async () => {
    const body = { names: ['berlin'] };
    const options = { idempotencyKey: 'from-the-client' };
    const first = await clientOf().checkAccounts({ body }, options);
    const asked = api.asked.length;
    expect(await clientOf().checkAccounts({ body }, options)).toMatchObject({
      value: first.ok && first.value,
    });
    expect(api.asked).toHaveLength(asked);
    const { id, checksum } = await api.propose('berlin');
    const stale = await clientOf('ada').approvePlan({ id, body: { checksum } }, { ifMatch: '"another"' });
    expect(stale).toMatchObject({ ok: false, status: 412 });
  });

  test('follows events, and continues after the last one', async () => {
    const append = (resource: string) =>
      api.store.events.append({ type: 'plan.changed', account: 'berlin', resource, data: {} });
    const lastEventId = await api.store.events.latest();
    await append('a');
    await append('b');
    const seen: ServerEvent[] = [];
    for await (const event of clientOf().streamEvents({ lastEventId })) {
      seen.push(event);
      if (event.resource === 'b') await append('c');
      if (event.resource === 'c') break;
    }
    expect(seen.map(({ resource }) => resource)).toEqual(['a', 'b', 'c']);
    const again: string[] = [];
    for await (const event of clientOf().streamEvents({ lastEventId: seen[1]?.id ?? '' })) {
      again.push(event.resource ?? '');
      break;
    }
    expect(again).toEqual(['c']);
  });

  test('ends the stream of events if the token is refused', async () => {
    const seen: ServerEvent[] = [];
    for await (const event of clientOf('nobody').streamEvents()) seen.push(event);
    expect(seen).toEqual([]);
  });
});

describe('a server that fails', () => {
  test('is asked again with the same idempotency key', async () => {
    const keys: (string | undefined)[] = [];
    const port = await listen(
      createServer((request, response) => {
        keys.push(request.headers['idempotency-key'] as string | undefined);
        response.writeHead(keys.length < 3 ? 503 : 202, {
          'x-rampart-server': '1',
          'content-type': 'application/json',
          'retry-after': '0',
        });
        response.end(
          keys.length < 3 ? '{"code":"state","title":"Unavailable"}' : '{"accounts":1,"queued":1}',
        );
      }),
    );
    const client = createClient({ url: `http://127.0.0.1:${port}`, token: 'admin' });
    expect(await client.checkAccounts({ body: { all: true } })).toMatchObject({ ok: true, status: 202 });
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test('is a problem if it is not a Rampart server, redirects, or does not answer', async () => {
    const port = await listen(
      createServer((request, response) => {
        const isMoved = request.url?.endsWith('/me') === true;
        response.writeHead(isMoved ? 302 : 200, isMoved ? { location: 'https://elsewhere.example/' } : {});
        response.end('<html>');
      }),
    );
    const client = createClient({ url: `http://127.0.0.1:${port}`, token: 'admin', retries: 0 });
    expect(await client.getOverview()).toMatchObject({ ok: false, problem: { code: 'unexpected-status' } });
    expect(await client.getMe()).toMatchObject({ ok: false, status: 0, problem: { code: 'network' } });
    const aborted = await client.getMe({ signal: AbortSignal.abort() });
    expect(aborted).toMatchObject({ ok: false, problem: { code: 'cancelled' } });
  });

  test.each(['http://rampart.example.com', 'ftp://127.0.0.1', 'https://user:secret@rampart.example.com', ''])(
    'gets no token at the address %j',
    (url) => {
      expect(() => createClient({ url, token: 'admin' })).toThrow(TypeError);
    },
  );
});

test('the example of docs/reference/server-api.md works', async () => {
  const page = readFileSync(join(root, 'docs/reference/server-api.md'), 'utf8');
  const [example] = readFences(page).filter(({ language }) => language === 'ts');
  const folder = mkdtempSync(join(tmpdir(), 'rampart-client-'));
  const text = (example?.text ?? '')
    .replace("'rampart/client'", JSON.stringify(join(root, 'src/api/client/index.ts')))
    .replace('https://rampart.example.com', api.url);
  const file = join(folder, 'example.mts');
  writeFileSync(file, text);
  const { stdout } = await run(process.execPath, [file], { env: { RAMPART_SERVER_TOKEN: 'admin' } });
  expect(stdout).toBe('berlin drifted\ndenver drifted\n');
});
