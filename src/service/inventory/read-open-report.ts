import type { InventoryKind } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import { type ReportReading, readReport } from '../client/report.ts';
import { hostsPerReport } from '../contract/inventory.ts';
import type { KindOptions } from './harvest-options.ts';
import type { OpenReport } from './inventory-cache.ts';
import { reportLeaseMs } from './lease.ts';

export interface OpenReportReading extends ReportReading {
  /** The hosts of the report that are now in the cache. */
  readonly arrived: ReadonlySet<HostId>;
  /** No other process has read a page of it, and no page was lost. */
  readonly isWhole: boolean;
  /** Pages that contained some of the requested hosts, or had room for them. */
  readonly pagesWithRoom: number;
}

interface ReadOptions extends Omit<KindOptions, 'onEvent'> {
  /** A page with this many hosts is in the cache. */
  readonly onPage: (hosts: number) => void;
}

/** Reads a report to its end and saves each page on arrival. */
export async function readOpenReport(
  kind: InventoryKind,
  report: OpenReport,
  options: ReadOptions,
): Promise<OpenReportReading> {
  const { cache, client, clock, stop } = options;
  const asked: ReadonlySet<string> = new Set(report.asked);
  const arrived = new Set<HostId>();
  let emptyAtFirst = 0;
  const reading = await readReport(client, kind, report, {
    clock,
    stop,
    hosts: asked.size,
    pagesRead: report.pages,
    ...(options.maxWaitMs === undefined ? {} : { maxWaitMs: options.maxWaitMs }),
    onPause: () => cache.leaseReport(kind, clock.now() + reportLeaseMs),
    onPage: ({ hosts, token }) => {
      const ours = [...hosts].filter(([id]) => asked.has(id)) as [HostId, unknown][];
      if (arrived.size + ours.length === 0) emptyAtFirst += 1;
      for (const [id] of ours) arrived.add(id);
      cache.savePage(kind, {
        at: clock.now(),
        fields: report.fields,
        records: new Map(ours.map(([id, record]) => [id, JSON.stringify(record)])),
        token,
        leaseUntil: clock.now() + reportLeaseMs,
      });
      options.onPage(ours.length);
    },
  });
  const isWhole =
    reading.end === 'complete' && report.pages === 0 && cache.openReport(kind)?.pages === reading.pages;
  const pagesWithRoom = reading.pages - emptyAtFirst + emptyPagesWithRoom(report, arrived, emptyAtFirst);
  return { ...reading, arrived, isWhole, pagesWithRoom };
}

/**
 * The number of empty pages before the first host that are pages of hosts without inventory. A service may also send an
 * empty page while the report is not ready. Pages hold 50 hosts each in the order of the request, so the position of
 * the first host that arrived shows how many pages came before it. If no host arrived, pages beyond those that the
 * hosts would fill prove nothing.
 */
function emptyPagesWithRoom({ asked }: OpenReport, arrived: ReadonlySet<HostId>, empty: number): number {
  if (arrived.size > 0) {
    const first = asked.findIndex((id) => arrived.has(id));
    return Math.min(empty, Math.floor(first / hostsPerReport));
  }
  return empty <= Math.ceil(asked.length / hostsPerReport) ? empty : 0;
}
