import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './loopback.ts';

/** A span as a collector receives it, attributes as plain values. */
export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  readonly events: readonly string[];
}

export interface ReceivedPoint {
  readonly metric: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The sum of a counter, or how often a histogram was asked. */
  readonly value: number;
}

/** A stand-in for an OpenTelemetry collector: it accepts OTLP over HTTP as JSON. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly points: readonly ReceivedPoint[];
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  readonly requests: readonly { readonly path: string; readonly headers: NodeJS.Dict<string | string[]> }[];
  /** Everything that was received, as text. */
  readonly text: () => string;
}

export async function givenCollector(
  status = 200,
  whenOver?: Parameters<typeof listen>[1],
): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const resources: Readonly<Record<string, unknown>>[] = [];
  const requests: { path: string; headers: NodeJS.Dict<string | string[]> }[] = [];
  const texts: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    requests.push({ path: request.url ?? '', headers: request.headers });
    texts.push(text);
    const { resourceSpans = [], resourceMetrics = [] } = JSON.parse(text) as Batch;
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(plain(resource.attributes));
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(toSpan)));
    }
    for (const { resource, scopeMetrics } of resourceMetrics) {
      resources.push(plain(resource.attributes));
      points.push(...scopeMetrics.flatMap((scope) => scope.metrics.flatMap(toPoints)));
    }
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((request, response) => void take(request, response));
  const port = await listen(server, whenOver);
  const url = `http://127.0.0.1:${port}`;
  return { url, spans, points, resources, requests, text: () => texts.join('\n') };
}

interface Batch {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[];
  }[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
  readonly events?: readonly { readonly name: string }[];
}

interface WirePoint {
  readonly attributes: readonly Attribute[];
  readonly asDouble?: number;
  readonly asInt?: number | string;
  readonly count?: number | string;
}

interface WireMetric {
  readonly name: string;
  readonly sum?: { readonly dataPoints: readonly WirePoint[] };
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] };
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
}

function toSpan({
  name,
  traceId,
  spanId,
  parentSpanId,
  attributes,
  status,
  events = [],
}: WireSpan): ReceivedSpan {
  return {
    name,
    traceId,
    spanId,
    parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
    attributes: plain(attributes),
    isError: status.code === 2,
    events: events.map((each) => each.name),
  };
}

function toPoints({ name, sum, gauge, histogram }: WireMetric): readonly ReceivedPoint[] {
  return [sum, gauge, histogram]
    .flatMap((each) => each?.dataPoints ?? [])
    .map((point) => ({
      metric: name,
      attributes: plain(point.attributes),
      value: Number(point.count ?? point.asInt ?? point.asDouble),
    }));
}

function plain(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: Readonly<Record<string, unknown>>): unknown {
  const [kind = '', inner] = Object.entries(value)[0] ?? [];
  if (kind === 'intValue') return Number(inner);
  if (kind !== 'arrayValue') return inner;
  return ((inner as { values?: readonly Readonly<Record<string, unknown>>[] }).values ?? []).map(plainValue);
}
