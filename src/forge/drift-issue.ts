import type { Environment } from '../core/lib/environment.ts';
import { type DriftReport, isCompared, isDrift } from '../core/plan/drift/drift.ts';
import { plainColor } from '../output/review/color.ts';
import { count } from '../output/review/count.ts';
import { paintDrift } from '../output/review/drift-text.ts';
import { pipelineOrigin } from '../run/state/origin/pipeline-origin.ts';
import type { IssueContent } from './forge.ts';

/** The issue about the drift of a fleet, or about its end. */
export interface DriftIssue {
  readonly content: IssueContent;
  /** Should it be open? */
  readonly isNeeded: boolean;
}

export function driftIssue(report: DriftReport, key: string, env: Environment): DriftIssue {
  const hosts = driftedHosts(report);
  const { job } = pipelineOrigin(env);
  return {
    content: {
      title: key === 'default' ? 'The fleet has drifted' : `The fleet of ${key} has drifted`,
      summary: summaryOf(report, hosts),
      report: paintDrift(report, { color: plainColor, columns: null }),
      ...(job === undefined ? {} : { job }),
    },
    isNeeded: hosts > 0,
  };
}

/** The number of hosts with drift, and of unmanaged hosts that changed. */
export function driftedHosts(report: DriftReport): number {
  const drifted = [...report.differences.filter(isDrift), ...report.unmanaged];
  return new Set(drifted.map(({ hostId }) => hostId)).size;
}

function summaryOf(report: DriftReport, hosts: number): string {
  if (hosts > 0) return `The fleet has drifted: ${count(hosts, 'host')}.`;
  return isCompared(report) ? 'There is no drift.' : 'The list may be incomplete, so drift is unknown.';
}
