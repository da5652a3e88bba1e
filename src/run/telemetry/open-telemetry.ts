import { type HrTime, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { emptyResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Clock } from '../../core/lib/surroundings.ts';
import { type Problem, warning } from '../../core/problem/problem.ts';
import { createMeters } from './meters.ts';
import type { MetricPoint, MetricReading, ReadMetrics } from './metric-reading.ts';
import type { OtelSettings, OtelTarget } from './otel-settings.ts';
import { createSpans } from './spans.ts';
import type { Telemetry } from './telemetry.ts';
import type { Hear } from './telemetry-event.ts';
import type { TraceParent } from './trace-parent.ts';

export interface OpenTelemetryOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly parent?: TraceParent | undefined;
  /** Called once for each signal that could not be delivered. */
  readonly onFailure: (problem: Problem) => void;
}

/** The maximum wait for the collector at the end of a command, in milliseconds of real time. */
const longestFlushMs = 3000;
/** The maximum number of spans that wait for a slow collector; further spans are dropped. */
const longestQueue = 10_000;

/** One signal for one collector. */
interface Pipeline {
  readonly hear: Hear;
  readonly shutdown: () => Promise<void>;
}

/** Spans and metrics of one command, sent as OTLP/HTTP. No global state is changed. */
export function createOpenTelemetry(settings: OtelSettings, options: OpenTelemetryOptions): Telemetry {
  const pipelines = [...traces(settings, options), ...metrics(settings, options)];
  return {
    isOn: true,
    hear: (event) => {
      for (const { hear } of pipelines) hear(event);
    },
    end: () => withinBound(Promise.all(pipelines.map(({ shutdown }) => shutdown().catch(() => undefined)))),
  };
}

function traces(settings: OtelSettings, options: OpenTelemetryOptions): readonly Pipeline[] {
  const target = settings.traces;
  if (target === undefined) return [];
  const exporter = watched(new OTLPTraceExporter(exporterOptions(target)), 'traces', target, options);
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resourceOf(settings, options)),
    spanProcessors: [new BatchSpanProcessor({ exporter, maxQueueSize: longestQueue })],
  });
  const { parent, clock, version } = options;
  const spans = createSpans({
    tracer: provider.getTracer('rampart', version),
    clock,
    parent:
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }),
    namesHosts: settings.namesHosts,
  });
  return [{ hear: spans, shutdown: () => provider.shutdown() }];
}

function metrics(settings: OtelSettings, options: OpenTelemetryOptions): readonly Pipeline[] {
  const target = settings.metrics;
  if (target === undefined) return [];
  const exporter = watched(new OTLPMetricExporter(exporterOptions(target)), 'metrics', target, options);
  let source: ReadMetrics | undefined;
  const provider = new MeterProvider({
    resource: resourceFromAttributes(resourceOf(settings, options)),
    readers: [
      new PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: target.intervalMs,
        exportTimeoutMillis: Math.min(target.timeoutMs, target.intervalMs),
        metricProducers: [createMetricProducer(() => source, options)],
      }),
    ],
  });
  const meters = createMeters(provider.getMeter('rampart', options.version));
  const hear: Hear = (event) => {
    if (event.type === 'metrics') source = event.read;
    meters(event);
  };
  return [{ hear, shutdown: () => provider.shutdown() }];
}

function exporterOptions({ url, headers, timeoutMs }: OtelTarget) {
  return { url, headers: { ...headers }, timeoutMillis: timeoutMs };
}

function resourceOf({ resource }: OtelSettings, { version }: OpenTelemetryOptions) {
  return {
    'service.version': version,
    ...resource,
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.language': 'nodejs',
  };
}

interface Exporter<Items> {
  export(items: Items, done: (result: { readonly code: number; readonly error?: Error }) => void): void;
}

/** The same exporter, but its first failure is reported, which the libraries do not do. */
function watched<Items, E extends Exporter<Items>>(
  exporter: E & Exporter<Items>,
  signal: string,
  { url }: OtelTarget,
  { onFailure }: OpenTelemetryOptions,
): E {
  const send = exporter.export.bind(exporter);
  let isReported = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      if (result.code !== 0 && !isReported) {
        isReported = true;
        onFailure(undelivered(signal, url, result.error));
      }
      done(result);
    });
  return exporter;
}

function undelivered(signal: string, url: string, error: Error | undefined): Problem {
  const code = error !== undefined && 'code' in error ? String(error.code) : undefined;
  const reason = code ?? error?.message ?? 'no answer';
  return warning('network', `${signal} could not be delivered to ${new URL(url).origin} (${reason})`, {
    hint: 'check the OTEL_EXPORTER_OTLP_ variables, or set OTEL_SDK_DISABLED=true',
  });
}

async function withinBound(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const bound = new Promise((resolve) => {
    timer = setTimeout(resolve, longestFlushMs);
  });
  await Promise.race([work, bound]);
  clearTimeout(timer);
}

/** Adds the metrics of a server to each export. Without a source, or if it fails, it adds nothing. */
function createMetricProducer(
  source: () => ReadMetrics | undefined,
  { clock, version }: { readonly clock: Clock; readonly version: string },
): MetricProducer {
  const start = hrTime(clock.now());
  return {
    async collect() {
      const readings = (await source()?.().catch(() => [])) ?? [];
      const end = hrTime(clock.now());
      return {
        errors: [],
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics:
            readings.length === 0
              ? []
              : [
                  {
                    scope: { name: 'rampart-server', version },
                    metrics: readings.map((reading) => toData(reading, start, end)),
                  },
                ],
        },
      };
    },
  };
}

function toData({ name, help, kind, points }: MetricReading, startTime: HrTime, endTime: HrTime): MetricData {
  const descriptor = {
    name,
    description: help,
    unit: name.endsWith('_seconds') ? 's' : '',
    valueType: 1,
    advice: {},
  };
  const time = { startTime, endTime };
  const simple = points.map(({ attributes, value }) => ({ ...time, attributes, value }));
  const aggregationTemporality = AggregationTemporality.CUMULATIVE;
  switch (kind) {
    case 'gauge':
      return { descriptor, aggregationTemporality, dataPointType: DataPointType.GAUGE, dataPoints: simple };
    case 'counter':
      return {
        descriptor,
        aggregationTemporality,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: simple,
      };
    case 'histogram':
      return {
        descriptor,
        aggregationTemporality,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: points.map((point) => ({
          ...time,
          attributes: point.attributes,
          value: histogramOf(point),
        })),
      };
  }
}

function histogramOf({ value, buckets = { bounds: [], counts: [] } }: MetricPoint) {
  return {
    buckets: { boundaries: [...buckets.bounds], counts: [...buckets.counts] },
    sum: value,
    count: buckets.counts.reduce((sum, each) => sum + each, 0),
  };
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];
}
