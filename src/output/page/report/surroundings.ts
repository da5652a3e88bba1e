import type { HostSurroundings } from '../../components/host-columns.tsx';
import { dayOf } from '../../review/day-of.ts';

/** A report has no page for a host, and is read at any time: times are days. */
export function aroundReportHosts(problems: readonly { readonly code: string }[]): HostSurroundings {
  return {
    sinceOf: (time) => `since ${dayOf(time) ?? time}`,
    problemOf: (position) => {
      const problem = problems[position];
      return problem && { href: `#problem-${position}`, code: problem.code };
    },
  };
}
