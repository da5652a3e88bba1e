import { readdirSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpRequest, Paging } from '../../../src/core/model/register-request.ts';
import { registerPresets } from '../../../src/input/schema/register-presets.ts';
import { registerPagesIn } from '../../../src/run/state/files/register-pages.ts';
import { fetchRegister } from '../../../src/service/registers/fetch-register.ts';
import { type AssetAnswer, type AssetReply, assetServer } from '../../given/asset-server.ts';
import { newFolder } from '../../given/folder.ts';
import { registerParts } from '../../given/register-parts.ts';

const machines = Array.from({ length: 7 }, (_, index) => ({ id: index + 1, serial: `S${index + 1}` }));

interface Fetching {
  readonly path?: string;
  readonly paging?: Partial<Paging>;
  readonly env?: Readonly<Record<string, string>>;
  /** How long each response takes. */
  readonly msPerPage?: number;
}

const plainPaging: Paging = { by: 'none', param: 'offset', size: 3, first: 0 };

function fetched(answer: AssetAnswer, { path = '/rows', paging, env, msPerPage }: Fetching = {}) {
  return fetchedAs(answer, { path, rowsAt: 'rows', paging: { ...plainPaging, ...paging } }, env, msPerPage);
}

async function fetchedAs(
  answer: AssetAnswer,
  request: Omit<HttpRequest, 'source'>,
  env: Readonly<Record<string, string>> = {},
  msPerPage = 0,
) {
  const server = await assetServer((url, message) => {
    pass(msPerPage);
    return answer(url, message);
  });
  const { parts, slept, hidden, pass } = registerParts({ RAMPART_SOURCE_CMDB_URL: server.url, ...env });
  const result = await fetchRegister({ source: 'cmdb', ...request }, parts);
  const rows = result.ok
    ? result.value.rows.length
    : result.problems.map(({ message }) => message).join('; ');
  return { ...server, rows, hidden, slept };
}

const slice = (url: URL, offset: string, size: string) => {
  const from = Number(url.searchParams.get(offset));
  return machines.slice(from, from + Number(url.searchParams.get(size)));
};

/** The documented shape of each product, with a page of three rows. */
const products: Readonly<Record<keyof typeof registerPresets, AssetAnswer>> = {
  'snipe-it': (url) => ({ body: { total: 7, rows: slice(url, 'offset', 'limit') } }),
  netbox: (url) => ({
    body: { count: 7, next: null, previous: null, results: slice(url, 'offset', 'limit') },
  }),
  glpi: (url) => {
    const [from = 0, to = 0] = (url.searchParams.get('range') ?? '').split('-').map(Number);
    const body = machines.slice(from, to + 1);
    return from >= 7
      ? { status: 400, body: ['ERROR_RANGE_EXCEED_TOTAL', ''] }
      : { status: 206, headers: { 'content-range': `${from}-${from + body.length - 1}/7` }, body };
  },
  servicenow: (url) => ({
    headers: { 'x-total-count': '7' },
    body: { result: slice(url, 'sysparm_offset', 'sysparm_limit') },
  }),
  'microsoft-graph': (url, { headers }) => {
    const skip = Number(url.searchParams.get('$skiptoken') ?? 0);
    const next = `http://${headers.host}${url.pathname}?$skiptoken=${skip + 3}`;
    return {
      body: { value: machines.slice(skip, skip + 3), ...(skip + 3 < 7 ? { '@odata.nextLink': next } : {}) },
    };
  },
  jamf: (url) => {
    const page = Number(url.searchParams.get('page'));
    return { body: { totalCount: 7, results: machines.slice(page * 3, page * 3 + 3) } };
  },
};

it.each(Object.entries(products))('the preset of a product reads all rows of %s', async (name, answer) => {
  const preset = registerPresets[name as keyof typeof registerPresets];
  const { rows, asked } = await fetchedAs(answer, { ...preset, paging: { ...preset.paging, size: 3 } });
  expect(rows).toBe(7);
  expect(asked).toHaveLength(3);
});

const byOffset: Fetching = { paging: { by: 'offset', param: 'offset', sizeParam: 'limit', total: 'total' } };
const withoutTotal: Fetching = { paging: { by: 'offset', param: 'offset', sizeParam: 'limit' } };
const endless: AssetAnswer = () => ({ body: { rows: machines.slice(0, 3) } });
const page = (url: URL, total?: number): AssetReply => ({
  body: { rows: slice(url, 'offset', 'limit'), ...(total === undefined ? {} : { total }) },
});
const linked =
  (next: (request: IncomingMessage) => string): AssetAnswer =>
  (url, request) => ({
    headers: url.searchParams.has('last') ? {} : { link: `<${next(request)}>; rel="next"` },
    body: { rows: machines.slice(0, 1) },
  });

describe('the rows of a register', () => {
  it.each<[string, AssetAnswer, Fetching, number | RegExp]>([
    ['of one page', () => ({ body: { rows: machines } }), {}, 7],
    ['without a total, until a page is empty', (url) => page(url), withoutTotal, 7],
    [
      'of pages that are shorter than was asked for',
      (url) => ({ body: { total: 7, rows: slice(url, 'offset', 'limit').slice(0, 2) } }),
      byOffset,
      7,
    ],
    [
      'whose pages have the total, whatever a header of another kind of pages says',
      (url) => ({ ...page(url, 7), headers: { 'content-range': '0-1/3' } }),
      byOffset,
      7,
    ],
    ['behind a link', linked(() => '/rows?last=1'), { paging: { by: 'link' } }, 2],
    [
      'behind a cursor',
      (url) => ({
        body: { rows: machines.slice(0, 2), next: url.searchParams.get('after') === 'x' ? null : 'x' },
      }),
      { paging: { by: 'cursor', param: 'after', at: 'next' } },
      4,
    ],
    ['that end too early', (url) => page(url, 8), byOffset, /has 7 rows, and reports 8: it ended early/],
    ['whose total is missing', (url) => page(url), byOffset, /does not report the number of all rows/],
    [
      'whose range has no total',
      () => ({ body: { rows: machines } }),
      { paging: { by: 'range', param: 'range' } },
      /does not report/,
    ],
    [
      'that are more than the total',
      () => ({ body: { rows: machines, total: 3 } }),
      byOffset,
      /has 7 rows, and reports 3/,
    ],
    [
      'whose second page fails',
      (url) => (url.searchParams.get('offset') === '0' ? page(url, 7) : { status: 500, body: 'SECRET ROW' }),
      byOffset,
      /^the source "cmdb" can't be read: it answered 500$/,
    ],
    [
      'whose second page is cut off',
      (url) => (url.searchParams.get('offset') === '0' ? page(url, 7) : { body: '{"rows":[{"serial":"SECR' }),
      byOffset,
      /a page is not JSON$/,
    ],
    [
      'with a key twice, of which readers take different ones',
      () => ({ body: '{"rows":[{"serial":"1","serial":"2"}]}' }),
      {},
      /a page has a key twice in one object, or is nested too deeply$/,
    ],
    [
      'that are nested without end',
      () => ({ body: `{"rows":[{"serial":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}` }),
      {},
      /nested too deeply$/,
    ],
    [
      'that are compressed, so that a few bytes may become many',
      () => ({ headers: { 'content-encoding': 'gzip' }, body: '\u001f\u008b\u0008' }),
      {},
      /a page is not JSON$/,
    ],
    ['not at the field', () => ({ body: { items: machines } }), {}, /"rows" of a page is not a list/],
    [
      'behind a link elsewhere',
      linked(() => 'https://evil.example/rows'),
      { paging: { by: 'link' } },
      /another origin/,
    ],
    ['behind a link that is none', linked(() => 'http://['), { paging: { by: 'link' } }, /another origin/],
    ['whose pages go in a circle', linked(() => '/rows'), { paging: { by: 'link' } }, /its pages do not end/],
    [
      'that are moved',
      () => ({ status: 302, headers: { location: 'https://evil.example/' } }),
      {},
      /redirects \(302\)/,
    ],
    ['that need other credentials', () => ({ status: 401 }), {}, /refuses the credentials \(401\)/],
    ['with a path out of the address', () => ({}), { path: '/../../x', env: {} }, /page is not JSON|leaves/],
  ])('%s', async (_, answer, request, expected) => {
    const { rows } = await fetched(answer, request);
    if (typeof expected === 'number') expect(rows).toBe(expected);
    else expect(rows).toMatch(expected);
  });

  it('are only below the address of the source', async () => {
    const env = { RAMPART_SOURCE_CMDB_URL: 'http://127.0.0.1:0/assets' };
    const { rows } = await fetched(() => ({}), { path: '/../users', env });
    expect(rows).toMatch(/the path leaves the address of the source$/);
  });

  it.each<[string, AssetAnswer, string | undefined, number, RegExp]>([
    [
      'with pages for ever, each of them in time',
      endless,
      undefined,
      15,
      /^the source "cmdb" can't be read: not all of its rows arrived within 15m$/,
    ],
    ['beyond the limit of the operator', endless, '5m', 5, /within 5m$/],
    ['asking to wait', () => ({ status: 503, headers: { 'retry-after': '60' } }), '150s', 2, /within 150s$/],
    ['with a limit without a unit', endless, '60', 0, /^RAMPART_SOURCE_CMDB_TIMEOUT is not a duration$/],
    ['with no time at all', endless, '0s', 0, /^RAMPART_SOURCE_CMDB_TIMEOUT is not a duration$/],
  ])('of a register %s are given up', async (_, answer, limit, requests, message) => {
    const env = limit === undefined ? {} : { RAMPART_SOURCE_CMDB_TIMEOUT: limit };
    const { rows, asked } = await fetched(answer, { ...withoutTotal, env, msPerPage: 60_000 });
    expect([rows, asked.length]).toEqual([expect.stringMatching(message), requests]);
  });

  it('are requested with the header of the source, which is hidden', async () => {
    const env = { RAMPART_SOURCE_CMDB_HEADER: 'Authorization: Bearer s3cret-token' };
    const { rows, hidden } = await fetched(
      (_, { headers }) =>
        headers.authorization === 'Bearer s3cret-token' ? { body: { rows: machines } } : { status: 401 },
      { env },
    );
    expect(rows).toBe(7);
    expect(hidden).toContain('s3cret-token');
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['no address', { RAMPART_SOURCE_CMDB_URL: '' }, /^RAMPART_SOURCE_CMDB_URL is not set/],
    ['an address without encryption', { RAMPART_SOURCE_CMDB_URL: 'http://register.example' }, /unencrypted/],
  ])('are not requested with %s', async (_, env, message) => {
    const { rows, asked } = await fetched(() => ({ body: { rows: machines } }), { env });
    expect(rows).toMatch(message);
    expect(asked).toEqual([]);
  });
});

describe('the pages of an earlier read', () => {
  const tagged: AssetAnswer = (url, { headers }) => {
    const offset = url.searchParams.get('offset') ?? '';
    return headers['if-none-match'] === `"${offset}"`
      ? { status: 304 }
      : { ...page(url, 7), headers: { etag: `"${offset}"` } };
  };

  async function twice(first: AssetAnswer, second: AssetAnswer, header = 'Authorization: Bearer A') {
    let answer = first;
    const statuses: number[] = [];
    const server = await assetServer((url, request) => {
      const reply = answer(url, request);
      statuses.push(reply.status ?? 200);
      return reply;
    });
    const folder = newFolder();
    const request = {
      source: 'cmdb',
      path: '/rows',
      rowsAt: 'rows',
      paging: { ...plainPaging, ...byOffset.paging },
    };
    const read = (given: string) =>
      fetchRegister(request, {
        env: { RAMPART_SOURCE_CMDB_URL: server.url, RAMPART_SOURCE_CMDB_HEADER: given },
        folder: '.',
        clock: { now: () => 0, sleep: async () => {} },
        hide: () => {},
        pages: registerPagesIn(join(folder, 'pages')),
      });
    const before = await read('Authorization: Bearer A');
    answer = second;
    const after = await read(header);
    return { before, after, statuses, folder: join(folder, 'pages') };
  }

  it('are not downloaded again if they are unchanged in the register', async () => {
    const { before, after, statuses, folder } = await twice(tagged, tagged);
    expect(statuses).toEqual([200, 200, 200, 304, 304, 304]);
    expect(after).toEqual(before);
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it.each<[string, AssetAnswer, string?]>([
    ['has changed', (url) => ({ ...page(url, 7), headers: { etag: '"new"' } })],
    ['has no tag any more', (url) => page(url, 7)],
    ['is asked with other credentials', tagged, 'Authorization: Bearer B'],
  ])('are not used if the register %s', async (_, second, header) => {
    const { before, after, statuses } = await twice(tagged, second, header);
    expect(statuses.slice(3)).toEqual([200, 200, 200]);
    expect(after).toEqual(before);
  });

  it('are no table if the register now fails or refuses', async () => {
    const { after } = await twice(tagged, () => ({ status: 403 }));
    expect(after.ok).toBe(false);
  });

  it('are requested only by a tag, whatever the register says', async () => {
    const { after, statuses } = await twice(
      (url) => page(url, 7),
      () => ({ status: 304 }),
    );
    expect(statuses.slice(3)).toEqual([304]);
    expect(after.problems.map(({ message }) => message)).toEqual([
      'the source "cmdb" can\'t be read: it redirects (304)',
    ]);
  });

  it('are read again if their file is damaged', async () => {
    const { folder } = await twice(tagged, tagged);
    const pages = registerPagesIn(folder);
    for (const text of ['', '[', '[["a",{"etag":"*","headers":{},"body":"[]"}]]']) {
      for (const file of readdirSync(folder)) writeFileSync(join(folder, file), text);
      expect(
        (await pages.read(readdirSync(folder)[0]?.slice('register-'.length, -'.json'.length) ?? '')).size,
      ).toBe(0);
    }
  });
});
