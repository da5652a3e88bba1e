import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { ChainHead } from '../../run/state/audit/chain.ts';
import type { MetricPoint, MetricReading, ReadMetrics } from '../../run/telemetry/metric-reading.ts';
import type { QueueCounts, QueueName } from '../queue/queue.ts';

/** What the metrics read on request. */
export interface MetricSources {
  readonly counts: () => Promise<Readonly<Record<QueueName, QueueCounts>>>;
  /** Accounts by health, and the time of the oldest check (milliseconds since 1970); null if there is none. */
  readonly accounts: () => Promise<{
    readonly health: Readonly<Record<string, number>>;
    readonly unchecked: number;
    /** Those that wait, by what they wait for. */
    readonly waitingFor: Readonly<Record<string, number>>;
    readonly oldestCheckAt: number | null;
    /** Rows of tables, and hosts, that do not match each other. */
    readonly unmatched: { readonly assets: number; readonly hosts: number };
  }>;
  /** The last head that this process signed, and whether the log no longer continues it. */
  readonly audit: () => Promise<{ readonly head: ChainHead | null; readonly isBroken: boolean }>;
  readonly now: () => number;
}

/** The metrics of one process. No label contains an account, a host or a person, so the number of series is bounded. */
export interface ServerMetrics {
  /** `label` is the value of the configured label at the account. */
  checked(label: string, outcome: 'done' | 'failed', seconds: number): void;
  changed(label: string, kind: string, hosts: number): void;
  /** A call to a service. 429 is counted by itself. */
  called(label: string, action: string, status: number | null): void;
  /** A run has left the desired state, this long after its plan was made. */
  converged(label: string, seconds: number): void;
  answered(route: string, method: string, status: number, seconds: number): void;
  /** The text of `/metrics`. */
  print(): Promise<string>;
  readonly contentType: string;
  /** The same for other formats, without what Node.js reports about the process. */
  readonly read: ReadMetrics;
}

/** Values of the configured label beyond this number are counted as `other`. */
const mostLabels = 50;
const seconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export function createServerMetrics(sources: MetricSources): ServerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    collect: (of: Gauge) => Promise<void>,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: [...labelNames],
      registers,
      async collect() {
        await collect(this);
      },
    });
  gauge('rampart_queue_jobs', 'Jobs by queue and state.', ['queue', 'state'], async (of) => {
    for (const [queue, counts] of Object.entries(await sources.counts())) {
      for (const [state, count] of Object.entries(counts) as [string, number][])
        of.set({ queue, state }, count);
    }
  });
  gauge('rampart_accounts', 'Accounts by health.', ['health'], async (of) => {
    const { health, unchecked } = await sources.accounts();
    for (const [name, count] of Object.entries(health)) of.set({ health: name }, count);
    of.set({ health: 'unchecked' }, unchecked);
  });
  gauge('rampart_accounts_waiting', 'Accounts that wait, by what they wait for.', ['for'], async (of) => {
    const { waitingFor } = await sources.accounts();
    for (const [name, count] of Object.entries(waitingFor)) of.set({ for: name }, count);
  });
  gauge(
    'rampart_register_unmatched',
    'Rows of asset registers and hosts that lack a match, by which of them.',
    ['of'],
    async (of) => {
      const { unmatched } = await sources.accounts();
      for (const [name, count] of Object.entries(unmatched)) of.set({ of: name }, count);
    },
  );
  gauge(
    'rampart_oldest_check_age_seconds',
    'The time since the oldest check of an account.',
    [],
    async (of) => {
      const { oldestCheckAt } = await sources.accounts();
      of.set(oldestCheckAt === null ? 0 : Math.max(0, (sources.now() - oldestCheckAt) / 1000));
    },
  );
  gauge(
    'rampart_audit_signed_records',
    'The number of the last signed record of the audit log.',
    [],
    async (of) => {
      const { head } = await sources.audit();
      if (head !== null) of.set(head.seq);
    },
  );
  gauge(
    'rampart_audit_signed_hash',
    'The first 12 hexadecimal digits of the hash of the last signed record, as a number.',
    [],
    async (of) => {
      const { head } = await sources.audit();
      if (head !== null) of.set(Number.parseInt(head.hash.slice(0, 12), 16));
    },
  );
  gauge('rampart_audit_broken', '1 if the audit log does not continue what was signed.', [], async (of) => {
    const { isBroken } = await sources.audit();
    of.set(isBroken ? 1 : 0);
  });
  const checks = new Histogram({
    name: 'rampart_check_seconds',
    help: 'Duration of the checks of accounts.',
    labelNames: ['outcome', 'label'],
    buckets: seconds,
    registers,
  });
  const changes = new Counter({
    name: 'rampart_changed_hosts_total',
    help: 'Hosts that runs have changed, by kind of change.',
    labelNames: ['kind', 'label'],
    registers,
  });
  const calls = new Counter({
    name: 'rampart_calls_total',
    help: 'Requests to services, by action and status.',
    labelNames: ['action', 'status'],
    registers,
  });
  const limited = new Counter({
    name: 'rampart_rate_limited_total',
    help: 'Requests that services answered with 429.',
    labelNames: ['label'],
    registers,
  });
  const convergence = new Histogram({
    name: 'rampart_converge_seconds',
    help: 'The time from a plan until a read shows the desired state after its run.',
    labelNames: ['label'],
    buckets: [60, 300, 900, 3_600, 14_400, 86_400, 604_800],
    registers,
  });
  const answers = new Histogram({
    name: 'rampart_http_seconds',
    help: 'Duration of answers of the API, by route.',
    labelNames: ['route', 'method', 'status'],
    buckets: seconds,
    registers,
  });
  const labels = new Set<string>();
  const bounded = (label: string) => {
    if (!labels.has(label) && labels.size >= mostLabels) return 'other';
    labels.add(label);
    return label;
  };
  return {
    checked: (label, outcome, took) => checks.observe({ outcome, label: bounded(label) }, took),
    changed: (label, kind, hosts) => changes.inc({ kind, label: bounded(label) }, hosts),
    called(label, action, status) {
      calls.inc({ action, status: status === null ? 'none' : String(status) });
      if (status === 429) limited.inc({ label: bounded(label) });
    },
    converged: (label, took) => convergence.observe({ label: bounded(label) }, took),
    answered: (route, method, status, took) =>
      answers.observe({ route, method, status: `${Math.floor(status / 100)}xx` }, took),
    print: () => registry.metrics(),
    contentType: registry.contentType,
    async read() {
      const all = await registry.getMetricsAsJSON();
      return all.filter(({ name }) => name.startsWith('rampart_')).map(toReading);
    },
  };
}

/** A metric of Prometheus as a reading: the buckets of a histogram are no longer cumulative. */
function toReading(metric: MetricObjectWithValues<MetricValue<string>>): MetricReading {
  const { name, help } = metric;
  // At run time, the type is a word.
  const type = String(metric.type);
  const kind = type === 'histogram' || type === 'counter' ? type : 'gauge';
  return { name, help, kind, points: kind === 'histogram' ? histograms(metric) : metric.values.map(toPoint) };
}

function toPoint({ labels, value }: MetricValue<string>): MetricPoint {
  return { attributes: attributesOf(labels), value };
}

function histograms({ name, values }: MetricObjectWithValues<MetricValue<string>>): readonly MetricPoint[] {
  const series = Map.groupBy(values, ({ labels }) => {
    const { le: _, ...own } = labels;
    return JSON.stringify(attributesOf(own));
  });
  return [...series].map(([attributes, own]) => {
    const buckets = own.filter(({ labels }) => labels['le'] !== undefined);
    const bounds = buckets.map(({ labels }) => Number(labels['le'])).filter(Number.isFinite);
    const counts = buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0));
    const sum = own.find((each) => 'metricName' in each && each.metricName === `${name}_sum`)?.value ?? 0;
    return {
      attributes: JSON.parse(attributes) as MetricPoint['attributes'],
      value: sum,
      buckets: { bounds, counts },
    };
  });
}

function attributesOf(labels: MetricValue<string>['labels']): MetricPoint['attributes'] {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value)]));
}
