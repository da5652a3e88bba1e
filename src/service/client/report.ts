import type { Clock } from '../../core/lib/surroundings.ts';
import { problem } from '../../core/problem/problem.ts';
import type { Action, ResponseBody } from '../contract/api.ts';
import { hostsPerReport } from '../contract/inventory.ts';
import { backoffMs } from './backoff.ts';
import { actionWords } from './call-words.ts';
import type { CallFailure, CallOptions, CallResult, Client } from './client.ts';
import { expiresInMs } from './expires.ts';

export type ReportKind = 'hardware' | 'system';
/** One host's record in the contract's form, including fields beyond the spec. */
export type ReportHost = ResponseBody<'readHardwareReport' | 'readSystemReport'>['hosts'][string];

export interface ReportRequest {
  /**
   * The hosts to request. The service shows 50 for one report in total, or 50 on each of its pages (spec section 8).
   */
  readonly hostIds: readonly string[];
  /** The fields to request; all if absent. */
  readonly fields?: readonly string[];
}

/** A report in progress. `expires` is the time when the next can be made, as the service writes it. */
export interface ReportToken {
  readonly token: string;
  readonly expires: string | null;
}

export interface ReportPage {
  readonly hosts: ReadonlyMap<string, ReportHost>;
  /** The token for the next page; null: these were the last hosts. */
  readonly token: string | null;
}

export interface ReadReportOptions extends CallOptions {
  readonly clock: Clock;
  /** The number of hosts it was made for, which limits the number of pages without new hosts. */
  readonly hosts: number;
  /** The pages that were already read; none if absent. */
  readonly pagesRead?: number;
  /** How long to wait if a report is not ready, or has nothing new, in milliseconds; one minute if absent. */
  readonly notReadyMs?: number;
  /** Called with each page before the next is requested, because each can be read only once. */
  readonly onPage: (page: ReportPage) => void;
  /** Called before each pause while the report is not ready. */
  readonly onPause?: () => void;
}

/**
 * How reading a report ended. `complete`: every page was read, so a host that was not on any page is not in the report.
 * `cut-short`: the report expired or a page was lost, so missing hosts prove nothing. `failed`: the same, but the
 * reason matters.
 */
export interface ReportReading {
  readonly end: 'complete' | 'cut-short' | 'failed';
  readonly failure?: CallFailure;
  readonly pages: number;
  /** Hosts on the fullest page. */
  readonly fullestPage: number;
  /** When the next report can be made, in milliseconds from now; 0 means immediately. */
  readonly nextInMs: number;
}

const actionsOf = {
  hardware: { create: 'createHardwareReport', read: 'readHardwareReport' },
  system: { create: 'createSystemReport', read: 'readSystemReport' },
} as const;

const defaultNotReadyMs = 60_000;
const firstPauseMs = 1_000;
const longestPauseMs = 5_000;
const lossesInARow = 3;
/**
 * The most consecutive pages without hosts between other pages: hosts without inventory are missing from their pages.
 */
const mostEmptyInARow = 200;

/** Makes a report (specification section 4, #8 and #12). */
export async function createReport(
  client: Client,
  kind: ReportKind,
  { hostIds, fields }: ReportRequest,
  options: CallOptions = {},
): Promise<CallResult<ReportToken>> {
  const { create } = actionsOf[kind];
  const body = { hostIds: [...hostIds], ...(fields === undefined ? {} : { fields: [...fields] }) };
  const created = await client.call(create, { body }, options);
  if (!created.ok) return created;
  const { token, expires } = created.value;
  if (token === null)
    return { ok: false, failure: unreadable(create, 'the service returned no token for the report') };
  return { ok: true, value: { token, expires } };
}

/**
 * Reads a report to its end (spec section 3, and section 4, #10 and #14). Before the first page, a 404 means that the
 * report is not ready; after it, that the report is finished. A page that was lost in transit can't be read again.
 */
export async function readReport(
  client: Client,
  kind: ReportKind,
  report: ReportToken,
  options: ReadReportOptions,
): Promise<ReportReading> {
  const { clock, pagesRead = 0, notReadyMs = defaultNotReadyMs } = options;
  const { read } = actionsOf[kind];
  const expectedPages = Math.ceil(options.hosts / hostsPerReport);
  const seen = new Set<string>();
  let { expires } = report;
  let token: string | null = report.token;
  let pages = 0;
  let fullestPage = 0;
  let lost = 0;
  let lostInARow = 0;
  let emptyInARow = 0;
  let waitedMs = 0;
  let pauseMs = firstPauseMs;

  const leftMs = () => expiresInMs(expires, { now: clock.now(), skewMs: client.clockSkewMs ?? 0 });
  const ended = (end: ReportReading['end'], failure?: CallFailure): ReportReading => ({
    end,
    pages,
    fullestPage,
    nextInMs: leftMs(),
    ...(failure === undefined ? {} : { failure }),
  });

  while (token !== null) {
    const page: CallResult<ResponseBody<typeof read>> = await client.call(
      read,
      { path: { 'report-token': token } },
      options,
    );
    if (page.ok) {
      const hosts = new Map(Object.entries<ReportHost>(page.value.hosts));
      const before = seen.size;
      for (const id of hosts.keys()) seen.add(id);
      pages += 1;
      lostInARow = 0;
      fullestPage = Math.max(fullestPage, hosts.size);
      ({ token, expires } = page.value.report);
      options.onPage({ hosts, token });
      const hasNews = seen.size > before;
      emptyInARow = hosts.size === 0 ? emptyInARow + 1 : 0;
      // Once a page had hosts, the report is ready, so an empty page is one of its pages.
      const isEmptyPage = hosts.size === 0 && seen.size > 0 && emptyInARow <= mostEmptyInARow;
      if (hasNews || isEmptyPage || pages + pagesRead <= expectedPages || token === null) {
        waitedMs = hasNews ? 0 : waitedMs;
        pauseMs = hasNews ? firstPauseMs : pauseMs;
        continue;
      }
    } else if (mayBeLost(page.failure)) {
      lost += 1;
      lostInARow += 1;
      if (lostInARow >= lossesInARow) return ended('failed', page.failure);
      await clock.sleep(
        backoffMs(lostInARow, () => 0.5),
        options.stop,
      );
      continue;
    } else if (page.failure.status !== 404) {
      return ended('failed', page.failure);
    } else if (pages + pagesRead + lost > 0) {
      return ended('cut-short');
    }
    const isOver = expires !== null && leftMs() === 0;
    if (waitedMs >= notReadyMs || isOver) {
      return ended('failed', page.ok ? unreadable(read, 'it has no last page') : page.failure);
    }
    options.onPause?.();
    await clock.sleep(pauseMs, options.stop ?? options.signal);
    waitedMs += pauseMs;
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
  return ended(lost === 0 ? 'complete' : 'cut-short');
}

/** The service may have delivered the page, and nothing shows that it has not. */
function mayBeLost({ problem: { code }, outcome }: CallFailure): boolean {
  return (
    outcome === 'unknown' &&
    (code === 'network' || code === 'timed-out' || code === 'malformed-response' || code === 'server-error')
  );
}

function unreadable(action: Action, detail: string): CallFailure {
  return {
    problem: problem(
      'malformed-response',
      `${actionWords(action)} returned a report that can't be read: ${detail}`,
      { hint: 'try again in a minute' },
    ),
    outcome: 'unknown',
    hostIds: [],
  };
}
