import type { InventoryKind } from '../../core/model/facts.ts';
import { type HostId, toHostId } from '../../core/model/observed.ts';
import { note, type Problem } from '../../core/problem/problem.ts';
import { expiresInMs } from '../client/expires.ts';
import { createReport, type ReportReading, readReport } from '../client/report.ts';
import { hostsPerReport } from '../contract/inventory.ts';
import { findUnknownField } from './choose-fields.ts';
import type { KindOptions } from './harvest-options.ts';
import type { InventoryCache, OpenReport } from './inventory-cache.ts';
import { reportLeaseMs } from './lease.ts';
import type { StoredFields } from './stored-fields.ts';

export type Made =
  | { readonly kind: 'made'; readonly report: OpenReport }
  /** A report made by someone else is valid for this long. */
  | { readonly kind: 'occupied'; readonly forMs: number }
  /** The service refuses a report with these hosts. */
  | { readonly kind: 'bad-hosts'; readonly hosts: readonly HostId[] }
  /** The service refuses the request without saying why: too many hosts, or a refused host among them. */
  | { readonly kind: 'too-much'; readonly problem: Problem }
  /** While the request waited for its turn, another process fetched some of the hosts. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'failed'; readonly problem: Problem };

const readToken = { hardware: 'readHardwareToken', system: 'readSystemToken' } as const;

/**
 * Makes a report, and stores it in the cache so that another process can continue it. One profile has one token: if the
 * token of someone else is still valid, the service refuses (spec section 3), and the function returns its expiry
 * instead.
 */
export async function makeReport(
  kind: InventoryKind,
  batch: readonly HostId[],
  fields: StoredFields,
  options: KindOptions,
): Promise<Made> {
  const { cache, client, clock, stop } = options;
  const request = { hostIds: batch, ...(fields === null ? {} : { fields }) };
  let created = await createReport(client, kind, request, { stop, maxWaitMs: 0 });
  if (!created.ok && created.failure.problem.code === 'rate-limited') {
    const current = await client.call(readToken[kind], {}, { stop, maxWaitMs: 0 });
    const clocks = { now: clock.now(), skewMs: client.clockSkewMs ?? 0 };
    const forMs = current.ok ? expiresInMs(current.value.expires, clocks) : 0;
    if (forMs > 0) return { kind: 'occupied', forMs };
    created = await createReport(client, kind, request, {
      stop,
      precondition: preconditionUntilOvertaken(kind, batch, cache),
      ...(options.maxWaitMs === undefined ? {} : { maxWaitMs: options.maxWaitMs }),
    });
  }
  if (created.ok) {
    const report = {
      ...created.value,
      asked: batch,
      fields,
      leaseUntil: clock.now() + reportLeaseMs,
      ...(options.holder === undefined ? {} : { holder: options.holder.self }),
    };
    cache.beginReport(kind, report);
    return { kind: 'made', report: { ...report, pages: 0 } };
  }

  const { problem, hostIds } = created.failure;
  if (problem === overtaken) return { kind: 'overtaken' };
  if (problem.code !== 'bad-request' && problem.code !== 'too-large') return { kind: 'failed', problem };
  const asked = new Set<string>(batch);
  const bad = hostIds.flatMap((id) => (asked.has(id) ? (toHostId(id) ?? []) : []));
  if (bad.length > 0) return { kind: 'bad-hosts', hosts: bad };
  const unknown =
    fields === null ? undefined : await findUnknownField(client, kind, fields, { signal: stop });
  return unknown === undefined ? { kind: 'too-much', problem } : { kind: 'failed', problem: unknown };
}

/** While the report waits for its turn, another process with the same cache may fetch the same hosts. */
function preconditionUntilOvertaken(kind: InventoryKind, batch: readonly HostId[], cache: InventoryCache) {
  const before = cache.states(kind);
  return () => {
    const now = cache.states(kind);
    return batch.some((id) => now.get(id)?.at !== before.get(id)?.at) ? overtaken : undefined;
  };
}

const overtaken = note('changed-since', 'another process has fetched these hosts');

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
