import { describe, expect, it } from 'vitest';
import { type ReportKind, type ReportRequest, readWholeReport } from '../../src/client/report.ts';
import { TransportError } from '../../src/contract/message.ts';
import { answer, scriptedService, type Turn } from '../given/scripted-service.ts';

const created = answer(201, { token: 't/1', expires: '2026-01-01 00:01:00Z' });
const expires = '2026-01-01 00:01:00Z';

function page(ids: readonly string[], token: string | null): Turn {
  const hosts = ids.map((id) => `"${id}":{"hostId":${id},"serviceTag":"S${id}","futureField":[1]}`);
  return answer(
    200,
    `{"report":{"token":${JSON.stringify(token)},"expires":"${expires}"},"hosts":{${hosts.join(',')}}}`,
  );
}

function read(
  turns: readonly Turn[],
  request: ReportRequest,
  kind: ReportKind = 'hardware',
  notReadyMs?: number,
) {
  const service = scriptedService(turns, { retries: 0 });
  const result = readWholeReport(service.client, kind, request, {
    clock: service.clock,
    ...(notReadyMs === undefined ? {} : { notReadyMs }),
  });
  return { ...service, result };
}

describe('a report', () => {
  it.each([
    ['hardware', '/public-api/v1/inventory/hardware/reports'],
    ['system', '/public-api/v1/inventory/system/reports'],
  ] as const)('of the %s is made, and read page by page to its end', async (kind, path) => {
    const big = '9223372036854775807';
    const { result, requests } = read(
      [created, page(['1', big], 't/1'), page(['3'], 't/2'), page([], null)],
      { hostIds: ['1', big, '3', '4'], fields: ['ServiceTag'] },
      kind,
    );
    const report = await result;
    expect(report).toMatchObject({ ok: true, missing: ['4'], nextInMs: 60_000 });
    expect([...report.hosts.keys()]).toEqual(['1', big, '3']);
    expect(report.hosts.get(big)).toEqual({ hostId: big, serviceTag: `S${big}`, futureField: [1] });
    expect(requests.map((each) => [each.method, each.path, each.body])).toEqual([
      ['POST', path, `{"hostIds":[1,${big},3,4],"fields":["ServiceTag"]}`],
      ['GET', `${path}/t%2F1`, null],
      ['GET', `${path}/t%2F1`, null],
      ['GET', `${path}/t%2F2`, null],
    ]);
  });

  it('of all fields leaves the fields out', async () => {
    const { result, requests } = read([created, page(['1'], null)], { hostIds: ['1'] });
    expect((await result).ok).toBe(true);
    expect(requests[0]?.body).toBe('{"hostIds":[1]}');
  });

  it('of no hosts asks for nothing', async () => {
    const { result, requests } = read([created], { hostIds: [] });
    expect(await result).toEqual({ ok: true, hosts: new Map(), missing: [], nextInMs: 0 });
    expect(requests).toEqual([]);
  });

  it('that is not ready yet is asked for again', async () => {
    const notYet = answer(404, { message: 'not ready' });
    const { result, clock } = read([created, notYet, notYet, page([], 't/1'), page(['1'], null)], {
      hostIds: ['1'],
    });
    const start = clock.now();
    expect(await result).toMatchObject({ ok: true, missing: [], nextInMs: 53_000 });
    expect(clock.now() - start).toBe(7_000);
  });

  it.each([
    ['never becomes ready', [created, answer(404)], 'not-found'],
    ['never has anything', [created, page([], 't/1')], 'malformed-response'],
    ['gives the same page for ever', [created, page(['1'], 't/1')], 'malformed-response'],
  ] as const)('that %s is given up', async (_, turns, code) => {
    const { result, clock } = read(turns, { hostIds: ['1', '2'] }, 'hardware', 10_000);
    const start = clock.now();
    expect(await result).toMatchObject({ ok: false, failure: { problem: { code } } });
    expect(clock.now() - start).toBe(12_000);
  });

  it.each<readonly [string, Turn, string]>([
    ['its token runs out', answer(404), 'not-found'],
    ['a reply is lost', new TransportError('reset', 'reply-lost'), 'network'],
    ['a page is cut short', answer(200, '{"report"'), 'malformed-response'],
  ])('that breaks off as %s gives what had arrived, and calls nothing missing', async (_, trouble, code) => {
    const { result } = read([created, page(['1'], 't/1'), trouble], { hostIds: ['1', '2'] });
    const report = await result;
    expect(report).toMatchObject({ ok: false, failure: { problem: { code } } });
    expect([...report.hosts.keys()]).toEqual(['1']);
    expect(report).not.toHaveProperty('missing');
  });

  it('that can’t be made names the ids that the service refuses', async () => {
    const { result } = read([answer(400, { message: 'bad', hostIds: [7] })], { hostIds: ['7'] });
    expect(await result).toMatchObject({ ok: false, failure: { hostIds: ['7'] } });
  });

  it('made without a token is a failure', async () => {
    const { result } = read([answer(201, { token: null, expires })], { hostIds: ['7'] });
    expect(await result).toMatchObject({ ok: false, failure: { problem: { code: 'malformed-response' } } });
  });

  it('expires by the service’s clock', async () => {
    const ahead = { date: 'Thu, 01 Jan 2026 00:00:50 GMT' };
    const last = { report: { token: null, expires }, hosts: {} };
    const { result } = read([created, answer(200, last, ahead)], { hostIds: ['7'] });
    expect(await result).toMatchObject({ ok: true, nextInMs: 10_000 });
  });

  it('stops when it is cancelled', async () => {
    const { client, clock } = scriptedService([created, answer(404)]);
    const stop = new AbortController();
    void clock.sleep(500).then(() => stop.abort());
    const result = await readWholeReport(
      client,
      'system',
      { hostIds: ['1'] },
      { clock, signal: stop.signal },
    );
    expect(result).toMatchObject({ ok: false, failure: { problem: { code: 'cancelled' } } });
  });
});
