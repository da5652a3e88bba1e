import { sha256Hex } from '../../core/lib/hash.ts';
import { hostsPerReport } from '../contract/inventory.ts';
import type { EmulatedReportKind } from './inventory-fields.ts';
import type { Switches } from './switches.ts';

/** The profile and kind of a report: each profile has one token for each kind. */
interface ReportOwner {
  readonly profile: string;
  readonly kind: EmulatedReportKind;
}

/** A token is null if none is valid; `expiresAt` is null if a new one can be made immediately. */
export interface TokenState {
  readonly token: string | null;
  readonly expiresAt: number | null;
}

export interface StoredReportPage {
  readonly token: string | null;
  readonly expiresAt: number;
  readonly hostIds: readonly string[];
  /** Absent: all fields. */
  readonly fields: readonly string[] | undefined;
}

/** The lifetime of report tokens (specification section 3). Times are milliseconds since the epoch. */
export interface ReportStore {
  current(owner: ReportOwner, now: number): TokenState;
  create(owner: ReportOwner, request: ReportRequest, now: number): TokenState;
  /**
   * The next page, or undefined if the token is unknown, expired or exhausted, or the report is not ready. A page that
   * was only inspected can be read again.
   */
  read(
    owner: ReportOwner,
    token: string,
    now: number,
    use: 'hand-out' | 'look',
  ): StoredReportPage | undefined;
}

interface ReportRequest {
  readonly hostIds: readonly string[];
  readonly fields: readonly string[] | undefined;
}

interface Report extends ReportRequest {
  readonly token: string;
  readonly readyAt: number;
  readonly expiresAt: number;
  /** How many hosts were delivered. */
  read: number;
}

export function createReportStore(switches: Switches): ReportStore {
  const reports = new Map<string, Report>();
  let made = 0;

  function alive({ profile, kind }: ReportOwner, now: number): Report | undefined {
    const report = reports.get(`${kind} ${profile}`);
    return report !== undefined && now < report.expiresAt ? report : undefined;
  }

  return {
    current(owner, now) {
      const report = alive(owner, now);
      if (report === undefined) return { token: null, expiresAt: null };
      return { token: isExhausted(report) ? null : report.token, expiresAt: report.expiresAt };
    },
    create(owner, request, now) {
      made += 1;
      const report: Report = {
        hostIds:
          switches.reportHosts === '50-in-all' ? request.hostIds.slice(0, hostsPerReport) : request.hostIds,
        fields: request.fields,
        token: sha256Hex(`${owner.kind} ${owner.profile} ${made}`).slice(0, 32),
        readyAt: now + switches.reportReadyAfterMs,
        expiresAt: now + switches.reportTokenLifeMs,
        read: 0,
      };
      reports.set(`${owner.kind} ${owner.profile}`, report);
      return { token: report.token, expiresAt: report.expiresAt };
    },
    read(owner, token, now, use) {
      const report = alive(owner, now);
      if (report === undefined || report.token !== token || isExhausted(report) || now < report.readyAt)
        return undefined;
      const hostIds = report.hostIds.slice(report.read, report.read + hostsPerReport);
      const read = Math.max(report.read + hostIds.length, 1);
      if (use === 'hand-out') report.read = read;
      return {
        token: isExhausted({ ...report, read }) ? null : report.token,
        expiresAt: report.expiresAt,
        hostIds,
        fields: report.fields,
      };
    },
  };
}

/** A report for no hosts has one empty page. */
function isExhausted(report: Report): boolean {
  return report.read >= Math.max(report.hostIds.length, 1);
}
