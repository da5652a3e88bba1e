import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { type Problem, problem } from '../../../src/core/problem/problem.ts';
import type { MetricReading } from '../../../src/run/telemetry/metric-reading.ts';
import { startTelemetry } from '../../../src/run/telemetry/start-telemetry.ts';
import type { TelemetryEvent } from '../../../src/run/telemetry/telemetry-event.ts';
import { type Collector, givenCollector, type ReceivedSpan } from '../../given/collector.ts';

const rename = '/public-api/v1/hosts/{host-id}/description';
const call = {
  type: 'call',
  action: 'renameHost',
  method: 'PUT',
  path: rename,
  ms: 20,
  waitedMs: 300,
} as const;
const hostile = 'SECRET-NAME\u001b';

const run: readonly TelemetryEvent[] = [
  { type: 'command_start', command: 'apply', argv: ['apply'], version: '1.2.3' },
  {
    type: 'call',
    action: 'listHostsWithGroups',
    method: 'GET',
    path: '/public-api/v2/hostswithgroups',
    status: 200,
    ms: 5,
    attempt: 1,
    waitedMs: 0,
  },
  { type: 'run_start', runId: 'r1', steps: 2, calls: 2 },
  {
    type: 'step_start',
    step: 's1',
    kind: 'rename',
    hosts: 1,
    target: { host_ids: ['777001'], from: hostile, to: 'B' },
  },
  { ...call, status: 429, attempt: 1, step: 's1' },
  { type: 'waiting', action: 'renameHost', ms: 4000 },
  { ...call, status: 204, attempt: 2, step: 's1' },
  { type: 'retry', action: 'listHosts', code: 'network', ms: 100 },
  {
    type: 'diagnostic',
    problem: problem('conflict', `the name ${hostile} is taken`, { hostIds: ['777001'] }),
  },
  { type: 'step_end', step: 's1', kind: 'rename', outcome: 'done', done: 1, of: 2 },
  { type: 'step_start', step: 's2', kind: 'rename', hosts: 1, target: {} },
  { ...call, status: null, attempt: 1, step: 's2' },
  { type: 'step_end', step: 's2', kind: 'rename', outcome: 'failed', done: 2, of: 2 },
  { type: 'run_end', runId: 'r1', exitCode: 5, ms: 100 },
  { type: 'command_end', exitCode: 5, ms: 120 },
];

describe('traces', () => {
  it('are a tree of command, run, step and call', async () => {
    const { collector } = await told(run);
    const spans = collector.spans;
    const named = (name: string) => spans.filter((span) => span.name === name);
    const [command, ,] = named('rampart apply');
    const [theRun] = named('run');
    const [first, second] = named('step rename');
    const parentOf = (span: ReceivedSpan | undefined) => span?.parentSpanId;
    expect(command?.parentSpanId).toBeUndefined();
    expect(parentOf(theRun)).toBe(command?.spanId);
    expect([parentOf(first), parentOf(second)]).toEqual([theRun?.spanId, theRun?.spanId]);
    expect(named(`PUT ${rename}`).map(parentOf)).toEqual([first?.spanId, first?.spanId, second?.spanId]);
    expect(named('GET /public-api/v2/hostswithgroups').map(parentOf)).toEqual([command?.spanId]);
    expect(new Set(spans.map((span) => span.traceId)).size).toBe(1);
    expect(spans).toHaveLength(8);
  });

  it('report the result of each', async () => {
    const { collector } = await told(run);
    const of = (name: string) => collector.spans.filter((span) => span.name === name);
    expect(of(`PUT ${rename}`).map(({ attributes, isError }) => ({ ...attributes, isError }))).toEqual([
      {
        'http.request.method': 'PUT',
        'url.template': rename,
        'http.response.status_code': 429,
        'error.type': '429',
        'rampart.action': 'renameHost',
        'rampart.call.attempt': 1,
        'rampart.call.waited_ms': 300,
        isError: true,
      },
      {
        'http.request.method': 'PUT',
        'url.template': rename,
        'http.response.status_code': 204,
        'http.request.resend_count': 1,
        'rampart.action': 'renameHost',
        'rampart.call.attempt': 2,
        'rampart.call.waited_ms': 300,
        isError: false,
      },
      {
        'http.request.method': 'PUT',
        'url.template': rename,
        'error.type': 'no-reply',
        'rampart.action': 'renameHost',
        'rampart.call.attempt': 1,
        'rampart.call.waited_ms': 300,
        isError: true,
      },
    ]);
    expect(
      of('step rename').map(({ attributes, isError }) => [attributes['rampart.step.outcome'], isError]),
    ).toEqual([
      ['done', false],
      ['failed', true],
    ]);
    expect(of('run')[0]).toMatchObject({ isError: true, events: ['waiting', 'retry', 'problem'] });
    expect(of('rampart apply')[0]?.attributes).toEqual({
      'rampart.command': 'apply',
      'rampart.version': '1.2.3',
      'rampart.exit_code': 5,
    });
  });

  it('show each job of a server by itself, with its account', async () => {
    const { collector } = await told([
      { type: 'job_start', job: 'j1', kind: 'check', account: 'berlin' },
      { type: 'job_start', job: 'j2', kind: 'run', account: 'austin' },
      {
        type: 'job_event',
        job: 'j2',
        account: 'austin',
        event: { type: 'run_start', runId: 'r1', steps: 1, calls: 1 },
      },
      { type: 'job_event', job: 'j1', account: 'berlin', event: { ...call, status: 200, attempt: 1 } },
      { type: 'job_event', job: 'j2', account: 'austin', event: { ...call, status: 204, attempt: 1 } },
      { type: 'job_end', job: 'j1', isFailed: true },
      { type: 'job_event', job: 'j1', account: 'berlin', event: { ...call, status: 200, attempt: 1 } },
      { type: 'job_end', job: 'j2', isFailed: false },
      { type: 'job_end', job: 'unknown', isFailed: false },
    ]);
    const { spans } = collector;
    const [check, theJob] = ['check', 'run'].map((kind) =>
      spans.find(({ attributes }) => attributes['rampart.job.kind'] === kind),
    );
    expect(check).toMatchObject({ attributes: { 'rampart.account': 'berlin' }, isError: true });
    expect(theJob).toMatchObject({ attributes: { 'rampart.account': 'austin' }, isError: false });
    const calls = spans.filter(({ name }) => name.startsWith('PUT'));
    const theRun = spans.find(({ attributes }) => attributes['rampart.run.id'] === 'r1');
    expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual([check?.spanId, theRun?.spanId]);
    expect(theRun).toMatchObject({ parentSpanId: theJob?.spanId, traceId: theJob?.traceId });
    expect(check?.traceId).not.toBe(theJob?.traceId);
    expect(spans).toHaveLength(5);
  });

  it("are children of the caller's span", async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const { collector } = await told(run, { TRACEPARENT: `00-${traceId}-b7ad6b7169203331-01` });
    const command = collector.spans.find((span) => span.name === 'rampart apply');
    expect(command).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
  });

  it('contain no host, except on request', async () => {
    const quiet = await told(run);
    expect(quiet.collector.spans).toHaveLength(8);
    expect(quiet.collector.text()).not.toMatch(/SECRET-NAME|777001/);
    const open = await told(run, { RAMPART_OTEL_HOSTS: '1' });
    const step = open.collector.spans.find((span) => span.name === 'step rename');
    expect(step?.attributes).toMatchObject({
      'rampart.host.ids': ['777001'],
      'rampart.step.from': hostile,
      'rampart.step.to': 'B',
    });
  });
});

describe('metrics', () => {
  it('count calls by action and status, refusals, repetitions and steps, and measure times', async () => {
    const { collector } = await told(run);
    const value = (metric: string, attributes: object) =>
      collector.points.find(
        (point) =>
          point.metric === metric &&
          Object.entries(attributes).every(([key, expected]) => point.attributes[key] === expected),
      )?.value;
    const renames = { 'rampart.action': 'renameHost' };
    expect(value('rampart.calls', { ...renames, 'http.response.status_code': 204 })).toBe(1);
    expect(value('rampart.calls', { ...renames, 'http.response.status_code': 429 })).toBe(1);
    expect(value('rampart.calls', { ...renames, 'error.type': 'no-reply' })).toBe(1);
    expect(value('rampart.calls.rate_limited', renames)).toBe(1);
    expect(value('rampart.calls.retries', { 'rampart.action': 'listHosts', 'error.type': 'network' })).toBe(
      1,
    );
    expect(value('rampart.steps', { 'rampart.step.kind': 'rename', 'rampart.step.outcome': 'done' })).toBe(1);
    expect(value('rampart.steps', { 'rampart.step.outcome': 'failed' })).toBe(1);
    expect(value('rampart.commands', { 'rampart.command': 'apply', 'rampart.exit_code': 5 })).toBe(1);
    expect(
      value('http.client.request.duration', { 'url.template': rename, 'http.response.status_code': 204 }),
    ).toBe(1);
    expect(value('rampart.call.wait', renames)).toBe(3);
  });
});

describe('a collector', () => {
  it('gets the headers and the resource of the environment', async () => {
    const { collector } = await told(run, {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
      OTEL_SERVICE_NAME: 'fleet',
      OTEL_RESOURCE_ATTRIBUTES: 'team=it',
    });
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(
      new Set(['/v1/traces', '/v1/metrics']),
    );
    for (const { headers } of collector.requests) expect(headers['authorization']).toBe('Bearer x');
    for (const resource of collector.resources) {
      expect(resource).toMatchObject({ 'service.name': 'fleet', 'service.version': '1.2.3', team: 'it' });
    }
  });

  it('gets only the requested signals', async () => {
    const { collector } = await told(run, { OTEL_METRICS_EXPORTER: 'none' });
    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/traces']);
  });

  it('that refuses is reported once for each signal, and delays nothing', async () => {
    const { problems } = await told(run, {}, 400);
    expect(problems.map(({ message }) => message.split(' ')[0] ?? '').toSorted()).toEqual([
      'metrics',
      'traces',
    ]);
    expect(problems.every(({ severity }) => severity === 'warning')).toBe(true);
  });
});

describe('the metrics that a server counts itself', () => {
  const read = async (): Promise<readonly MetricReading[]> => [
    { name: 'jobs', help: 'Jobs.', kind: 'gauge', points: [{ attributes: { state: 'ready' }, value: 3 }] },
    { name: 'calls_total', help: 'Calls.', kind: 'counter', points: [{ attributes: {}, value: 7 }] },
    {
      name: 'check_seconds',
      help: 'Checks.',
      kind: 'histogram',
      points: [{ attributes: {}, value: 4.5, buckets: { bounds: [1, 5], counts: [1, 2, 0] } }],
    },
  ];
  it('are part of each export', async () => {
    const { collector } = await told([{ type: 'metrics', read }]);
    expect(collector.points).toEqual([
      { metric: 'jobs', attributes: { state: 'ready' }, value: 3 },
      { metric: 'calls_total', attributes: {}, value: 7 },
      { metric: 'check_seconds', attributes: {}, value: 3 },
    ]);
    expect(collector.text()).toContain('"bucketCounts":[1,2,0],"explicitBounds":[1,5]');
  });
  it('are left out while they fail', async () => {
    const fails = () => Promise.reject(new Error('the database is away'));
    const { collector, problems } = await told([{ type: 'metrics', read: fails }, ...run]);
    expect(collector.points.map(({ metric }) => metric)).toContain('rampart.calls');
    expect(problems).toEqual([]);
  });
});

async function told(
  events: readonly TelemetryEvent[],
  env: Readonly<Record<string, string>> = {},
  status = 200,
): Promise<{ readonly collector: Collector; readonly problems: readonly Problem[] }> {
  const collector = await givenCollector(status);
  const problems: Problem[] = [];
  const telemetry = await startTelemetry({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env },
    clock: createVirtualClock(Date.parse('2026-11-21T09:00:00Z')),
    version: '1.2.3',
    level: 'info',
    redact: (text) => text,
    onFailure: (each) => problems.push(each),
  });
  if (!telemetry.ok) throw new Error('not started');
  for (const event of events) telemetry.value.hear(event);
  await telemetry.value.end();
  return { collector, problems };
}
