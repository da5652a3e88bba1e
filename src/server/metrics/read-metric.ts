import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { MetricPoint, MetricReading } from '../../run/telemetry/metric-reading.ts';

/** A metric of Prometheus as a reading: the buckets of a histogram are no longer cumulative. */
export function toReading(metric: MetricObjectWithValues<MetricValue<string>>): MetricReading {
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
