import { describe, expect, it } from 'vitest';
import { readLogLevel } from '../../../src/run/telemetry/log-level.ts';
import { readOtelSettings } from '../../../src/run/telemetry/otel-settings.ts';
import { readTraceParent } from '../../../src/run/telemetry/trace-parent.ts';

describe('the level of the log', () => {
  it.each([
    [undefined, 'info'],
    ['', 'info'],
    ['debug', 'debug'],
    [' WARN ', 'warn'],
    ['off', 'off'],
  ])('RAMPART_LOG=%s is %s', (value, level) => {
    expect(readLogLevel(value)).toMatchObject({ ok: true, value: level });
  });

  it('is a problem if there is no such level', () => {
    expect(readLogLevel('loud')).toMatchObject({
      ok: false,
      problems: [{ code: 'configuration', message: 'RAMPART_LOG does not support the level "loud"' }],
    });
  });
});

describe('TRACEPARENT', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const span = 'b7ad6b7169203331';

  it('contains the parent span', () => {
    expect(readTraceParent(`00-${trace}-${span}-01`)).toEqual({
      traceId: trace,
      spanId: span,
      traceFlags: 1,
    });
    expect(readTraceParent(`01-${trace}-${span}-00-more`)).toMatchObject({ traceFlags: 0 });
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['a text', 'yes'],
    ['capitals', `00-${trace.toUpperCase()}-${span}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
    ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
    ['a version that is forbidden', `ff-${trace}-${span}-01`],
    ['a first version with more', `00-${trace}-${span}-01-more`],
  ])('is ignored if it is %s', (_what, value) => {
    expect(readTraceParent(value)).toBeUndefined();
  });
});

describe('the variables of OpenTelemetry', () => {
  it.each<readonly [string, Record<string, string>]>([
    ['nothing is set', {}],
    ['only a name is set', { OTEL_SERVICE_NAME: 'x' }],
    ['it is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_SDK_DISABLED: 'TRUE' }],
    [
      'both exporters are none',
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
        OTEL_TRACES_EXPORTER: 'none',
        OTEL_METRICS_EXPORTER: 'none',
      },
    ],
  ])('request nothing if %s', (_what, env) => {
    const { traces, metrics, problems } = readOtelSettings(env);
    expect({ traces, metrics, problems }).toEqual({ traces: undefined, metrics: undefined, problems: [] });
  });

  it('take the endpoint of a signal as it is', () => {
    const { traces, metrics } = readOtelSettings({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/t' });
    expect(traces?.url).toBe('https://c/t');
    expect(metrics).toBeUndefined();
  });

  it('use the usual address of a collector if only the exporter is set', () => {
    expect(readOtelSettings({ OTEL_TRACES_EXPORTER: 'otlp' }).traces?.url).toBe(
      'http://localhost:4318/v1/traces',
    );
  });

  it('contain percent-encoded headers, and those of a signal override the common ones', () => {
    const { traces, metrics } = readOtelSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a=b, x-team = it ,broken,=,bad=%zz',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=web',
    });
    expect(metrics?.headers).toEqual({ authorization: 'Bearer a=b', 'x-team': 'it' });
    expect(traces?.headers).toEqual({ authorization: 'Bearer a=b', 'x-team': 'web' });
  });

  it('contain the service and what it runs on', () => {
    expect(readOtelSettings({}).resource).toEqual({ 'service.name': 'rampart' });
    const env = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=a,deployment.environment.name=prod' };
    expect(readOtelSettings(env).resource).toEqual({
      'service.name': 'a',
      'deployment.environment.name': 'prod',
    });
    expect(readOtelSettings({ ...env, OTEL_SERVICE_NAME: 'b' }).resource['service.name']).toBe('b');
  });

  it('never let an export take longer than the end of a command allows', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318', OTEL_EXPORTER_OTLP_TIMEOUT: '60000' };
    expect(readOtelSettings(env).traces?.timeoutMs).toBe(3000);
    expect(readOtelSettings({ ...env, OTEL_EXPORTER_OTLP_TIMEOUT: '500' }).traces?.timeoutMs).toBe(500);
  });

  it.each<readonly [string, Record<string, string>]>([
    ['an exporter that is not known', { OTEL_TRACES_EXPORTER: 'zipkin' }],
    ['gRPC', { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    ['an endpoint that is no address', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'collector' }],
    ['an endpoint of another kind', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://c/' }],
  ])('cause a warning about %s, and nothing is sent there', (_what, env) => {
    const { traces, problems } = readOtelSettings(env);
    expect(traces).toBeUndefined();
    expect(problems).toMatchObject([{ severity: 'warning', code: 'configuration' }]);
  });

  it('send ids and names of hosts only on request', () => {
    expect(readOtelSettings({}).namesHosts).toBe(false);
    expect(readOtelSettings({ RAMPART_OTEL_HOSTS: '1' }).namesHosts).toBe(true);
  });
});
