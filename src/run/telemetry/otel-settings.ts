import { type Environment, valueOf } from '../../core/lib/surroundings.ts';
import { type Problem, warning } from '../../core/problem/problem.ts';

/** The destination of one signal. */
export interface OtelTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface OtelSettings {
  readonly traces: OtelTarget | undefined;
  readonly metrics: (OtelTarget & { readonly intervalMs: number }) | undefined;
  readonly resource: Readonly<Record<string, string>>;
  /** Also send ids and names of hosts. */
  readonly namesHosts: boolean;
  /** Requested settings that are not supported. */
  readonly problems: readonly Problem[];
}

type Signal = 'TRACES' | 'METRICS';

/** The maximum time of one export, so that the end of a command is not delayed longer. */
const longestExportMs = 3000;
const defaultEndpoint = 'http://localhost:4318';

/**
 * The usual OpenTelemetry variables. A signal is sent if its exporter is `otlp`, or if an endpoint is set and its
 * exporter is not; nothing is sent with `OTEL_SDK_DISABLED=true`. The exporters themselves read compression,
 * certificates and the temporality of metrics.
 */
export function readOtelSettings(env: Environment): OtelSettings {
  const problems: Problem[] = [];
  const disabled = valueOf(env, 'OTEL_SDK_DISABLED')?.toLowerCase() === 'true';
  const traces = disabled ? undefined : targetOf('TRACES', env, problems);
  const metrics = disabled ? undefined : targetOf('METRICS', env, problems);
  return {
    traces,
    metrics: metrics && {
      ...metrics,
      intervalMs: numberOf(env, 'OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000,
    },
    resource: resourceOf(env),
    namesHosts: ['1', 'true'].includes(valueOf(env, 'RAMPART_OTEL_HOSTS')?.toLowerCase() ?? ''),
    problems,
  };
}

function targetOf(signal: Signal, env: Environment, problems: Problem[]): OtelTarget | undefined {
  const own = valueOf(env, `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
  const shared = valueOf(env, 'OTEL_EXPORTER_OTLP_ENDPOINT');
  const exporter = valueOf(env, `OTEL_${signal}_EXPORTER`)?.toLowerCase();
  const isEnabled = exporter === undefined ? own !== undefined || shared !== undefined : exporter !== 'none';
  if (!isEnabled) return undefined;
  if (exporter !== undefined && exporter !== 'otlp') {
    problems.push(unsupported(`OTEL_${signal}_EXPORTER=${exporter}`, 'use otlp or none'));
    return undefined;
  }
  const url = readUrl(own ?? `${(shared ?? defaultEndpoint).replace(/\/+$/, '')}/v1/${signal.toLowerCase()}`);
  if (url === undefined) {
    problems.push(
      unsupported(`the endpoint for ${signal.toLowerCase()}`, 'it must be an http or https address'),
    );
    return undefined;
  }
  const ownProtocol = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`;
  const protocol = valueOf(env, ownProtocol) === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : ownProtocol;
  if (valueOf(env, protocol)?.toLowerCase() === 'grpc') {
    const refused = unsupported(
      `${protocol}=grpc`,
      'OTLP is sent over HTTP as JSON, which collectors accept on port 4318',
    );
    if (problems.every(({ message }) => message !== refused.message)) problems.push(refused);
    return undefined;
  }
  const timeout =
    numberOf(env, `OTEL_EXPORTER_OTLP_${signal}_TIMEOUT`) ?? numberOf(env, 'OTEL_EXPORTER_OTLP_TIMEOUT');
  return {
    url,
    headers: {
      ...pairs(env['OTEL_EXPORTER_OTLP_HEADERS']),
      ...pairs(env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]),
    },
    timeoutMs: Math.min(timeout ?? longestExportMs, longestExportMs),
  };
}

function resourceOf(env: Environment): Readonly<Record<string, string>> {
  const attributes = pairs(env['OTEL_RESOURCE_ATTRIBUTES']);
  const name = valueOf(env, 'OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? 'rampart';
  return { ...attributes, 'service.name': name };
}

/** `key=value,key2=value2`, with percent-encoded values; items in another form are ignored. */
function pairs(text: string | undefined): Readonly<Record<string, string>> {
  const entries = (text ?? '').split(',').flatMap((pair): readonly (readonly [string, string])[] => {
    const at = pair.indexOf('=');
    const key = decoded(pair.slice(0, Math.max(0, at)).trim());
    const value = decoded(pair.slice(at + 1).trim());
    return key === undefined || key === '' || value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function readUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

function numberOf(env: Environment, name: string): number | undefined {
  const number = Number(valueOf(env, name));
  return Number.isFinite(number) && number > 0 ? number : undefined;
}

function unsupported(what: string, why: string): Problem {
  return warning('configuration', `${what} is not supported, so nothing is sent`, { hint: why });
}
