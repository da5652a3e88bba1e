import { describe, expect, it } from 'vitest';
import type { HttpRequest, Paging } from '../../../src/core/model/register-request.ts';
import {
  fetchDocument,
  fetchRegister,
  type PageStore,
  type StoredPages,
} from '../../../src/service/registers/fetch-register.ts';
import { type AssetAnswer, assetServer } from '../../given/asset-server.ts';
import { registerParts } from '../../given/register-parts.ts';

const rows = [{ serial: 'S1' }, { serial: 'S2' }];
const onePage: AssetAnswer = () => ({ body: { rows } });

interface Given {
  readonly paging?: Partial<Paging>;
  readonly env?: Readonly<Record<string, string>>;
  readonly pages?: PageStore;
}

const requestOf = (paging: Partial<Paging> = {}): HttpRequest => ({
  source: 'cmdb',
  path: '/rows',
  rowsAt: 'rows',
  paging: { by: 'none', param: 'at', size: 3, first: 1, ...paging },
});

async function fetched(answer: AssetAnswer, { paging, env, pages }: Given = {}) {
  const server = await assetServer(answer);
  const { parts, slept, hidden } = registerParts({ RAMPART_SOURCE_CMDB_URL: server.url, ...env }, pages);
  const result = await fetchRegister(requestOf(paging), parts);
  const outcome = result.ok ? result.value.rows.length : (result.problems[0]?.message ?? '');
  return { result, outcome, asked: server.asked, slept, hidden };
}

it.each<[Partial<Paging>, string]>([
  [{ by: 'none' }, '/rows'],
  [{ by: 'link', sizeParam: 'limit' }, '/rows?limit=3'],
  [{ by: 'offset', sizeParam: 'limit', total: 'total' }, '/rows?limit=3&at=0'],
  [{ by: 'page', first: 0, total: 'total' }, '/rows?at=0'],
  [{ by: 'page', first: 1, total: 'total' }, '/rows?at=1'],
  [{ by: 'range', total: 'total' }, '/rows?at=0-2'],
  [{ by: 'cursor', at: 'next' }, '/rows'],
  [{ by: 'next', at: 'next' }, '/rows'],
])('the first request of a register with the paging %j is for %s', async (paging, expected) => {
  const { asked, outcome } = await fetched(() => ({ body: { rows, total: 2 } }), { paging });
  expect([asked[0], outcome]).toEqual([`GET ${expected}`, 2]);
});

describe('a request that fails', () => {
  /** A register that answers like this so many times, and then with its rows. */
  const after =
    (times: number, answer: AssetAnswer): AssetAnswer =>
    (url, request) => {
      times -= 1;
      return times >= 0 ? answer(url, request) : onePage(url, request);
    };
  const breaks: AssetAnswer = (_, request) => {
    request.socket.destroy();
    return {};
  };
  const waiting = (seconds: number): AssetAnswer => {
    return () => ({ status: 429, headers: { 'retry-after': String(seconds) } });
  };

  it.each<[string, AssetAnswer, number | RegExp, readonly number[]]>([
    ['with 429 is repeated', after(1, () => ({ status: 429 })), 2, [2000]],
    ['with 502 is repeated', after(1, () => ({ status: 502 })), 2, [2000]],
    ['with 503 is repeated', after(1, () => ({ status: 503 })), 2, [2000]],
    ['with 504 is repeated', after(1, () => ({ status: 504 })), 2, [2000]],
    ['is repeated after longer and longer waits', after(3, () => ({ status: 503 })), 2, [2000, 4000, 8000]],
    ['four times is given up', after(4, () => ({ status: 503 })), /answered 503$/, [2000, 4000, 8000]],
    ['with 500 is not repeated', after(1, () => ({ status: 500 })), /answered 500$/, []],
    ['is repeated after the longest wait', after(1, waiting(60)), 2, [60_000]],
    ['is given up if the register asks for a longer one', after(1, waiting(61)), /\(429\)|429$/, []],
    ['because its connection broke is repeated', after(1, breaks), 2, [2000]],
    [
      'because its connection broke four times is given up',
      after(4, breaks),
      /^the source "cmdb" can't be read: it can't be reached: /,
      [2000, 4000, 8000],
    ],
  ])('%s', async (_, answer, expected, waits) => {
    const { outcome, slept, asked } = await fetched(answer);
    if (typeof expected === 'number') expect(outcome).toBe(expected);
    else expect(outcome).toMatch(expected);
    expect([slept, asked.length]).toEqual([waits, waits.length + 1]);
  });

  it('in its TLS handshake is not repeated', async () => {
    const server = await assetServer(onePage);
    const { parts, slept } = registerParts({
      RAMPART_SOURCE_CMDB_URL: server.url.replace('http:', 'https:'),
    });
    const result = await fetchRegister(requestOf(), parts);
    expect(result.problems[0]?.message).toMatch(/can't be reached/);
    expect(slept).toEqual([]);
  });

  it('leaves no connection open, and neither does one that works', async () => {
    for (const answer of [onePage, () => ({ status: 500 })] satisfies AssetAnswer[]) {
      const closed: Promise<unknown>[] = [];
      await fetched((url, request) => {
        closed.push(new Promise((done) => request.socket.once('close', done)));
        return answer(url, request);
      });
      await Promise.all(closed);
      expect(closed).toHaveLength(1);
    }
  });
});

describe('the login of a register', () => {
  async function loggedIn(answer: AssetAnswer, more: Readonly<Record<string, string>> = {}) {
    let form = '';
    const login = await assetServer((url, request) => {
      request.on('data', (part) => (form += part));
      return answer(url, request);
    });
    const { outcome, asked, hidden } = await fetched(
      (_, { headers }) =>
        headers.authorization === 'Bearer from-login' ? { body: { rows } } : { status: 401 },
      {
        env: {
          RAMPART_SOURCE_CMDB_TOKEN_URL: `${login.url}/token`,
          RAMPART_SOURCE_CMDB_CLIENT_ID: 'rampart',
          RAMPART_SOURCE_CMDB_CLIENT_SECRET: 'hush hush&',
          ...more,
        },
      },
    );
    return { outcome, asked: asked.length, form, hidden };
  }
  const token: AssetAnswer = () => ({ body: { access_token: 'from-login' } });

  it.each([
    ['without a scope', {}, 'grant_type=client_credentials&client_id=rampart&client_secret=hush+hush%26'],
    [
      'with a scope',
      { RAMPART_SOURCE_CMDB_SCOPE: 'read all' },
      'grant_type=client_credentials&client_id=rampart&client_secret=hush+hush%26&scope=read+all',
    ],
  ])('sends the client credentials %s, and hides the secret and the token', async (_, env, expected) => {
    const { hidden, ...login } = await loggedIn(token, env);
    expect(login).toEqual({ outcome: 2, asked: 1, form: expected });
    expect(hidden).toEqual(expect.arrayContaining(['hush hush&', 'from-login']));
  });

  it.each<[string, AssetAnswer, RegExp]>([
    ['refuses them', () => ({ status: 401 }), /refuses the credentials \(401\)$/],
    ['is not JSON', () => ({ body: '<html>' }), /a page is not JSON$/],
    ['has no token', () => ({ body: {} }), /the login returned no token$/],
    ['has null for an answer', () => ({ body: 'null' }), /the login returned no token$/],
    ['has a number for a token', () => ({ body: { access_token: 7 } }), /the login returned no token$/],
    ['has a token that is no header', () => ({ body: { access_token: 'from login' } }), /returned no token$/],
  ])('asks for no rows if it %s', async (_, answer, expected) => {
    const { outcome, asked } = await loggedIn(answer);
    expect(outcome).toMatch(expected);
    expect(asked).toBe(0);
  });

  it('closes its connection', async () => {
    const closed: Promise<unknown>[] = [];
    await loggedIn((url, request) => {
      closed.push(new Promise((done) => request.socket.once('close', done)));
      return token(url, request);
    });
    await Promise.all(closed);
    expect(closed).toHaveLength(1);
  });
});

describe('the content of a register', () => {
  const pagesOf = (stored: StoredPages) => {
    const written: StoredPages[] = [];
    const pages: PageStore = { read: async () => stored, write: async (_, each) => void written.push(each) };
    return { pages, written };
  };

  it('has the same hash for the same pages, and another one for others', async () => {
    const hashOf = async (answer: AssetAnswer) => {
      const { result } = await fetched(answer);
      return result.ok ? result.value.hash : '';
    };
    const other: AssetAnswer = () => ({ body: { rows: [...rows].reverse() } });
    const hash = await hashOf(onePage);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf(onePage)).toBe(hash);
    expect(await hashOf(other)).not.toBe(hash);
  });

  it('keeps pages for the next read only if the register tags them', async () => {
    const { pages, written } = pagesOf(new Map());
    await fetched(onePage, { pages });
    expect(written).toEqual([]);
    await fetched(() => ({ headers: { etag: '"a"', 'x-other': 'no' }, body: { rows } }), { pages });
    expect(written.map((each) => [...each.values()])).toEqual([
      [{ etag: '"a"', headers: {}, body: JSON.stringify({ rows }) }],
    ]);
  });

  it('is the new page if the register sends one, even if an earlier one is kept', async () => {
    const server = await assetServer(() => ({ body: { rows: [...rows, { serial: 'S3' }] } }));
    const { pages } = pagesOf(
      new Map([[`${server.url}/rows`, { etag: '"a"', headers: {}, body: '{"rows":[]}' }]]),
    );
    const { parts } = registerParts({ RAMPART_SOURCE_CMDB_URL: server.url }, pages);
    const result = await fetchRegister(requestOf(), parts);
    expect(result.ok && result.value.rows).toHaveLength(3);
  });
});

describe('one document of a source', () => {
  it('is what the register returns as JSON', async () => {
    const server = await assetServer(() => ({ body: { state: 'Implement' } }));
    const { parts } = registerParts({ RAMPART_SOURCE_CMDB_URL: `${server.url}/api/` });
    const read = await fetchDocument({ source: 'cmdb', path: 'changes/CHG1?fields=state' }, parts);
    expect(read).toEqual({ ok: true, value: { state: 'Implement' }, problems: [] });
    expect(server.asked).toEqual(['GET /api/changes/CHG1?fields=state']);
  });

  it.each<[string, AssetAnswer, RegExp]>([
    ['fails', () => ({ status: 404 }), /404$/],
    ['is not text', () => ({ body: 'x' }), /not JSON$/],
  ])('is a problem if the request %s', async (_, answer, expected) => {
    const server = await assetServer(answer);
    const { parts } = registerParts({ RAMPART_SOURCE_CMDB_URL: server.url });
    const read = await fetchDocument({ source: 'cmdb', path: 'x' }, parts);
    expect(read.problems[0]?.message).toMatch(expected);
  });
});
