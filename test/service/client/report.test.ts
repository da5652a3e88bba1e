import { describe, expect, it } from 'vitest';
import {
  createReport,
  type ReadReportOptions,
  type ReportKind,
  type ReportPage,
  readReport,
} from '../../../src/service/client/report.ts';
import { TransportError } from '../../../src/service/contract/message.ts';
import { answer, scriptedService, type Turn } from '../../given/scripted-service.ts';

const created = answer(201, { token: 't/1', expires: '2026-01-01 00:01:00Z' });
const expires = '2026-01-01 00:01:00Z';

function page(ids: readonly string[], token: string | null): Turn {
  const hosts = ids.map((id) => `"${id}":{"hostId":${id},"serviceTag":"S${id}","futureField":[1]}`);
  return answer(
    200,
    `{"report":{"token":${JSON.stringify(token)},"expires":"${expires}"},"hosts":{${hosts.join(',')}}}`,
  );
}

interface Given {
  readonly hostIds: readonly string[];
  readonly kind?: ReportKind;
  readonly options?: Partial<ReadReportOptions>;
}

function read(turns: readonly Turn[], { hostIds, kind = 'hardware', options = {} }: Given) {
  const service = scriptedService(turns, { retries: 0 });
  const pages: ReportPage[] = [];
  const reading = readReport(
    service.client,
    kind,
    { token: 't/1', expires },
    { clock: service.clock, hosts: hostIds.length, onPage: (each) => pages.push(each), ...options },
  );
  return { ...service, reading, pages };
}

const idsOf = (pages: readonly ReportPage[]) => pages.map(({ hosts }) => [...hosts.keys()]);

describe('a report', () => {
  it.each([
    ['hardware', '/public-api/v1/inventory/hardware/reports'],
    ['system', '/public-api/v1/inventory/system/reports'],
  ] as const)('of the %s is created', async (kind, path) => {
    const big = '9223372036854775807';
    const { client, requests } = scriptedService([created]);
    const made = await createReport(client, kind, { hostIds: ['1', big], fields: ['ServiceTag'] });
    expect(made).toEqual({ ok: true, value: { token: 't/1', expires } });
    expect(requests.map((each) => [each.method, each.path, each.body])).toEqual([
      ['POST', path, `{"hostIds":[1,${big}],"fields":["ServiceTag"]}`],
    ]);
  });

  it.each([
    ['hardware', '/public-api/v1/inventory/hardware/reports'],
    ['system', '/public-api/v1/inventory/system/reports'],
  ] as const)('of the %s is read page by page to its end', async (kind, path) => {
    const big = '9223372036854775807';
    const { reading, requests, pages } = read([page(['1', big], 't/1'), page(['3'], 't/2'), page([], null)], {
      hostIds: ['1', big, '3', '4'],
      kind,
    });
    expect(await reading).toEqual({ end: 'complete', pages: 3, fullestPage: 2, nextInMs: 60_000 });
    expect(idsOf(pages)).toEqual([['1', big], ['3'], []]);
    expect(pages.map(({ token }) => token)).toEqual(['t/1', 't/2', null]);
    expect(pages[0]?.hosts.get(big)).toEqual({ hostId: big, serviceTag: `S${big}`, futureField: [1] });
    expect(requests.map((each) => `${each.method} ${each.path}`)).toEqual([
      `GET ${path}/t%2F1`,
      `GET ${path}/t%2F1`,
      `GET ${path}/t%2F2`,
    ]);
  });

  it('of all fields leaves the fields out', async () => {
    const { client, requests } = scriptedService([created]);
    await createReport(client, 'hardware', { hostIds: ['1'] });
    expect(requests[0]?.body).toBe('{"hostIds":[1]}');
  });

  it('that is not ready yet is requested again', async () => {
    const notYet = answer(404, { message: 'not ready' });
    let pauses = 0;
    const { reading, clock } = read([notYet, notYet, page([], 't/1'), page(['1'], null)], {
      hostIds: ['1'],
      options: { onPause: () => (pauses += 1) },
    });
    const start = clock.now();
    expect(await reading).toMatchObject({ end: 'complete', nextInMs: 57_000 });
    expect(clock.now() - start).toBe(3_000);
    expect(pauses).toBe(2);
  });

  it('may have pages without new hosts, as many as its hosts can fill', async () => {
    const hostIds = Array.from({ length: 120 }, (_, index) => String(index));
    const { reading, clock } = read([page([], 't/1'), page([], 't/1'), page(['100'], null)], { hostIds });
    const start = clock.now();
    expect(await reading).toMatchObject({ end: 'complete', pages: 3 });
    expect(clock.now()).toBe(start);
  });

  it('may have many empty pages between others, which cause no wait', async () => {
    const empty = Array.from({ length: 30 }, () => page([], 't/1'));
    const { reading, clock } = read([page(['1'], 't/1'), ...empty, page(['2'], null)], {
      hostIds: ['1', '2'],
    });
    const start = clock.now();
    expect(await reading).toMatchObject({ end: 'complete', pages: 32 });
    expect(clock.now()).toBe(start);
  });

  it.each([
    ['never becomes ready', [answer(404)], 'not-found'],
    ['never has anything', [page([], 't/1')], 'malformed-response'],
    ['gives the same page for ever', [page(['1'], 't/1')], 'malformed-response'],
  ] as const)('that %s is given up', async (_, turns, code) => {
    const { reading, clock } = read(turns, { hostIds: ['1', '2'], options: { notReadyMs: 10_000 } });
    const start = clock.now();
    expect(await reading).toMatchObject({ end: 'failed', failure: { problem: { code } } });
    expect(clock.now() - start).toBe(12_000);
  });

  it('that never becomes ready is given up when its token has run out', async () => {
    const { reading, clock } = read([answer(404)], { hostIds: ['1'], options: { notReadyMs: 3_600_000 } });
    const start = clock.now();
    expect(await reading).toMatchObject({ end: 'failed', nextInMs: 0 });
    expect(clock.now() - start).toBeLessThan(66_000);
  });

  it('ends with a 404 after a page, and no host is certainly missing', async () => {
    const { reading, pages } = read([page(['1'], 't/1'), answer(404)], { hostIds: ['1', '2'] });
    expect(await reading).toMatchObject({ end: 'cut-short', pages: 1 });
    expect(idsOf(pages)).toEqual([['1']]);
  });

  it('ends with a 404 if somebody has read from it before', async () => {
    const { reading } = read([answer(404)], { hostIds: ['1', '2'], options: { pagesRead: 1 } });
    expect(await reading).toMatchObject({ end: 'cut-short', pages: 0 });
  });

  it.each<readonly [string, Turn]>([
    ['the reply is lost', new TransportError('reset', 'reply-lost')],
    ['it is cut short', answer(200, '{"report"')],
    ['the service stumbles', answer(502)],
  ])('loses a page as %s, and the rest is read', async (_, trouble) => {
    const { reading, pages } = read([page(['1'], 't/1'), trouble, page(['3'], null)], {
      hostIds: ['1', '2', '3'],
    });
    expect(await reading).toMatchObject({ end: 'cut-short', pages: 2 });
    expect(idsOf(pages)).toEqual([['1'], ['3']]);
  });

  it('that is lost repeatedly is given up', async () => {
    const { reading, requests } = read([page(['1'], 't/1'), answer(502)], { hostIds: ['1', '2'] });
    expect(await reading).toMatchObject({ end: 'failed', failure: { problem: { code: 'server-error' } } });
    expect(requests).toHaveLength(4);
  });

  it("that can't be created names the ids that the service refuses", async () => {
    const { client } = scriptedService([answer(400, { message: 'bad', hostIds: [7] })]);
    expect(await createReport(client, 'hardware', { hostIds: ['7'] })).toMatchObject({
      ok: false,
      failure: { hostIds: ['7'] },
    });
  });

  it('created without a token is a failure', async () => {
    const { client } = scriptedService([answer(201, { token: null, expires })]);
    expect(await createReport(client, 'hardware', { hostIds: ['7'] })).toMatchObject({
      ok: false,
      failure: { problem: { code: 'malformed-response' } },
    });
  });

  it("expires by the service's clock", async () => {
    const ahead = { date: 'Thu, 01 Jan 2026 00:00:50 GMT' };
    const last = { report: { token: null, expires }, hosts: {} };
    const { reading } = read([answer(200, last, ahead)], { hostIds: ['7'] });
    expect(await reading).toMatchObject({ end: 'complete', nextInMs: 10_000 });
  });

  it('stops when it is cancelled', async () => {
    const stop = new AbortController();
    const { reading, clock } = read([answer(404)], { hostIds: ['1'], options: { stop: stop.signal } });
    void clock.sleep(500).then(() => stop.abort());
    expect(await reading).toMatchObject({ end: 'failed', failure: { problem: { code: 'cancelled' } } });
  });
});
