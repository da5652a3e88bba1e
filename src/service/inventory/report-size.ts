import { hostsPerReport } from '../contract/inventory.ts';

/**
 * Decides how many hosts to request in one report. It is uncertain whether a report shows fifty hosts in total or any
 * number in pages of fifty (specification section 4, #10), so this is learned: the first reports request many.
 */
export interface ReportSize {
  /** The observed number of hosts that one report carries; null if no limit was observed. */
  readonly capacity: number | null;
  /** How many hosts to request next. */
  readonly ask: number;
  /** A report carried more than fifty hosts. */
  readonly carriesMore: boolean;
}

export const firstSize: ReportSize = { capacity: null, ask: 1_000, carriesMore: false };
/** A token is valid for about a minute, in which all pages must be read. */
const mostHosts = 10_000;

export interface ReportOutcome {
  /** The report was read to its end, and no page was lost. */
  readonly isComplete: boolean;
  readonly asked: number;
  readonly arrived: number;
  /**
   * Pages that contained some of the hosts or had room for them, excluding those sent because the report was not ready.
   */
  readonly pages: number;
  readonly fullestPage: number;
}

export interface SizeVerdict {
  readonly size: ReportSize;
  /** The report carried all requested hosts, so those that did not arrive have no inventory. */
  readonly carriedAll: boolean;
}

/**
 * Learns the size of reports from one report. Its pages had room for a number of hosts. Room for fewer than requested
 * is a limit. Room for all shows that there is no limit if more than fifty hosts arrived or there were many pages.
 * Otherwise nothing is decided, and the next report requests fewer.
 */
export function judgeReport(before: ReportSize, outcome: ReportOutcome): SizeVerdict {
  const { asked, arrived, pages } = outcome;
  const carriesMore = before.carriesMore || arrived > hostsPerReport;
  const size = { ...before, carriesMore };
  if (!outcome.isComplete) return { size: { ...size, ask: upToFullPage(arrived) }, carriedAll: false };
  if (pages === 0) return { size: { ...size, ask: hostsPerReport }, carriedAll: false };
  if (asked <= hostsPerReport) return { size: grown(size, asked), carriedAll: true };
  const room = pages * Math.max(hostsPerReport, outcome.fullestPage);
  if (room < asked) {
    const capacity = upToFullPage(arrived);
    return { size: { capacity, ask: capacity, carriesMore: capacity > hostsPerReport }, carriedAll: false };
  }
  if (carriesMore || pages > 2) return { size: grown(size, asked), carriedAll: true };
  return { size: { ...size, ask: hostsPerReport }, carriedAll: false };
}

/** The service refuses requests for more hosts than this. */
export function bounded(size: ReportSize, most: number): ReportSize {
  return { capacity: most, ask: most, carriesMore: size.carriesMore || most > hostsPerReport };
}

function grown(size: ReportSize, asked: number): ReportSize {
  if (asked < size.ask) return size;
  return { ...size, ask: Math.min(size.capacity ?? mostHosts, size.ask * 2) };
}

function upToFullPage(hosts: number): number {
  return Math.max(1, Math.ceil(hosts / hostsPerReport)) * hostsPerReport;
}
