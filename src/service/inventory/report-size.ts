import { hostsPerReport } from '../contract/inventory.ts';

/**
 * How many hosts to ask of one report. Whether a report shows fifty hosts in all, or any number in pages of fifty,
 * is not certain (spec section 4, #10), so it is learnt: the first reports ask for many.
 */
export interface ReportSize {
  /** So many one report carries, as was seen; null if no bound was met. */
  readonly capacity: number | null;
  /** So many are asked for next. */
  readonly ask: number;
  /** A report was seen that carried more than fifty. */
  readonly carriesMore: boolean;
}

export const firstSize: ReportSize = { capacity: null, ask: 1_000, carriesMore: false };
/** A token lives about a minute, in which the pages have to be read. */
const mostHosts = 10_000;

export interface ReportOutcome {
  /** It was read to its end, and no page was lost. */
  readonly isComplete: boolean;
  readonly asked: number;
  readonly arrived: number;
  /** Pages that held some of the hosts, or had room for them; not those that came because it was not ready. */
  readonly pages: number;
  readonly fullestPage: number;
}

export interface Verdict {
  readonly size: ReportSize;
  /** All that were asked for were in the report, so those who did not arrive have no inventory. */
  readonly carriedAll: boolean;
}

/**
 * What a report shows about its size. Its pages had room for a number of hosts. Room for fewer than requested is a
 * bound. Room for all is none if more than fifty hosts came before or there were many pages. Otherwise it decides
 * nothing, and the next report asks for fewer.
 */
export function judgeReport(before: ReportSize, outcome: ReportOutcome): Verdict {
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

/** The service takes no request for more hosts than this. */
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
