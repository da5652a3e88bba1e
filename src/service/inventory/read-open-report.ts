import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/host-id.ts';
import { type ReportReading, readReport } from '../client/report.ts';
import type { KindOptions } from './harvest-options.ts';
import type { OpenReport } from './inventory-cache.ts';
import { leaseMs } from './lease.ts';

export interface OpenReportReading extends ReportReading {
  /** Hosts of it that are in the cache now. */
  readonly arrived: ReadonlySet<HostId>;
  /** Nobody else has read a page of it, and none was lost. */
  readonly isWhole: boolean;
}

interface ReadOptions extends Omit<KindOptions, 'onEvent'> {
  /** A page with so many hosts is in the cache. */
  readonly onPage: (hosts: number) => void;
}

/** Reads a report to its end, and keeps each page as it arrives. */
export async function readOpenReport(
  kind: InventoryKind,
  report: OpenReport,
  options: ReadOptions,
): Promise<OpenReportReading> {
  const { cache, client, clock, stop } = options;
  const asked: ReadonlySet<string> = new Set(report.asked);
  const arrived = new Set<HostId>();
  const reading = await readReport(client, kind, report, {
    clock,
    stop,
    hosts: asked.size,
    pagesRead: report.pages,
    ...(options.maxWaitMs === undefined ? {} : { maxWaitMs: options.maxWaitMs }),
    onPause: () => cache.leaseReport(kind, clock.now() + leaseMs),
    onPage: ({ hosts, token }) => {
      const ours = [...hosts].filter(([id]) => asked.has(id)) as [HostId, unknown][];
      for (const [id] of ours) arrived.add(id);
      cache.keepPage(kind, {
        at: clock.now(),
        fields: report.fields,
        records: new Map(ours.map(([id, record]) => [id, JSON.stringify(record)])),
        token,
        leaseUntil: clock.now() + leaseMs,
      });
      options.onPage(ours.length);
    },
  });
  const isWhole =
    reading.end === 'complete' && report.pages === 0 && cache.openReport(kind)?.pages === reading.pages;
  return { ...reading, arrived, isWhole };
}
