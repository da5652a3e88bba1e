/** Metrics that a server counts itself, with their current values. */
export type ReadMetrics = () => Promise<readonly MetricReading[]>;

export interface MetricReading {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly points: readonly MetricPoint[];
}

export interface MetricPoint {
  readonly attributes: Readonly<Record<string, string>>;
  /** The value, or the sum of a histogram. */
  readonly value: number;
  /** Of a histogram: upper bounds, and how many values are in each bucket; the last bucket has no bound. */
  readonly buckets?: { readonly bounds: readonly number[]; readonly counts: readonly number[] };
}
