import type { HrTime } from '@opentelemetry/api';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Clock } from '../../core/lib/surroundings.ts';
import type { MetricPoint, MetricReading, ReadMetrics } from './metric-reading.ts';

/** Adds the metrics of a server to each export. Without a source, or if it fails, it adds nothing. */
export function createMetricProducer(
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
