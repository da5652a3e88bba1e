import type { Action, ResponseBody } from '../contract/api.ts';
import type { Clock } from '../lib/clock.ts';
import { problem } from '../problem/problem.ts';
import type { CallFailure, CallResult } from './call-failure.ts';
import { callWords } from './call-words.ts';
import type { CallOptions, Client } from './client.ts';
import { expiresInMs } from './expires.ts';

export type ReportKind = 'hardware' | 'system';
export type HardwareHost = ResponseBody<'readHardwareReport'>['hosts'][string];
export type SystemHost = ResponseBody<'readSystemReport'>['hosts'][string];
export type ReportHost<Kind extends ReportKind> = Kind extends 'hardware' ? HardwareHost : SystemHost;

type ReportPage = ResponseBody<'readHardwareReport'> | ResponseBody<'readSystemReport'>;

export interface ReportRequest {
  /** Which hosts; the service shows 50 of one report at most (spec section 8). */
  readonly hostIds: readonly string[];
  /** Which fields; all when absent. */
  readonly fields?: readonly string[];
}

export interface ReportOptions extends CallOptions {
  readonly clock: Clock;
  /** How long to wait in a row for a report that has nothing new yet, in milliseconds; one minute when absent. */
  readonly notReadyMs?: number;
}

export type ReportResult<Kind extends ReportKind> =
  | {
      readonly ok: true;
      readonly hosts: ReadonlyMap<string, ReportHost<Kind>>;
      /** Asked for, and not in the report although it was read to its end. */
      readonly missing: readonly string[];
      /** When the next report can be made, in milliseconds from now; 0 is at once. */
      readonly nextInMs: number;
    }
  | {
      readonly ok: false;
      readonly failure: CallFailure;
      /** What had arrived. Nothing can be said of the hosts that are not among them. */
      readonly hosts: ReadonlyMap<string, ReportHost<Kind>>;
    };

const actionsOf = {
  hardware: { create: 'createHardwareReport', read: 'readHardwareReport' },
  system: { create: 'createSystemReport', read: 'readSystemReport' },
} as const;

const defaultNotReadyMs = 60_000;
const firstPauseMs = 1_000;
const longestPauseMs = 5_000;

/**
 * Makes a report and reads it to its end (spec section 3, and section 4, #8 and #10, #12 and #14). A fresh report
 * may answer 404, or with a page that has nothing new, until it is ready: both are asked again within a bound.
 */
export async function readWholeReport<Kind extends ReportKind>(
  client: Client,
  kind: Kind,
  request: ReportRequest,
  options: ReportOptions,
): Promise<ReportResult<Kind>> {
  const hosts = new Map<string, ReportHost<Kind>>();
  if (request.hostIds.length === 0) return { ok: true, hosts, missing: [], nextInMs: 0 };
  const { create, read } = actionsOf[kind];
  const created = await client.call(create, { body: bodyOf(request) }, options);
  if (!created.ok) return { ok: false, failure: created.failure, hosts };
  if (created.value.token === null)
    return { ok: false, failure: endless(create, 'it was made without a token'), hosts };

  const { clock, signal, notReadyMs = defaultNotReadyMs } = options;
  let token: string | null = created.value.token;
  let expires: string | null = created.value.expires;
  let waitedMs = 0;
  let pauseMs = firstPauseMs;
  while (token !== null) {
    const page: CallResult<ReportPage> = await client.call(
      read,
      { path: { 'report-token': token } },
      options,
    );
    const notReady = !page.ok && page.failure.status === 404 && hosts.size === 0;
    if (!page.ok && !notReady) return { ok: false, failure: page.failure, hosts };
    const before = hosts.size;
    if (page.ok) {
      for (const [id, host] of Object.entries(page.value.hosts)) hosts.set(id, host as ReportHost<Kind>);
      token = page.value.report.token;
      expires = page.value.report.expires;
    }
    if (token === null) break;
    if (hosts.size > before) {
      waitedMs = 0;
      pauseMs = firstPauseMs;
      continue;
    }
    if (waitedMs >= notReadyMs) {
      const failure = page.ok ? endless(read, 'it does not come to its end') : page.failure;
      return { ok: false, failure, hosts };
    }
    await clock.sleep(pauseMs, signal);
    waitedMs += pauseMs;
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }

  const now = { now: clock.now(), skewMs: client.clockSkewMs ?? 0 };
  return {
    ok: true,
    hosts,
    missing: request.hostIds.filter((id) => !hosts.has(id)),
    nextInMs: expiresInMs(expires, now),
  };
}

function bodyOf({ hostIds, fields }: ReportRequest) {
  return { hostIds: [...hostIds], ...(fields === undefined ? {} : { fields: [...fields] }) };
}

function endless(action: Action, detail: string): CallFailure {
  return {
    problem: problem(
      'malformed-response',
      `${callWords(action)} gives a report that can't be read: ${detail}`,
      {
        hint: 'try again in a minute',
      },
    ),
    outcome: 'unknown',
    hostIds: [],
  };
}
