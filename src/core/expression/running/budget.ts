/** Units of work for one expression on one host: about one for each step of a macro, or 64 characters made. */
export const mostWork = 100_000;
/** Units that one expression may take on all hosts of a run, beside `workPerHost` for each of them. */
const mostWorkInAll = 2_000_000;
const workPerHost = 500;
/** After so many hosts on which an expression takes too many steps, its run is over. */
const mostOverruns = 3;

/** The work that one expression may still do in one run over any number of hosts. */
export interface Budget {
  left: number;
  overruns: number;
}

export function openBudget(): Budget {
  return { left: mostWorkInAll, overruns: 0 };
}

/** Units for the next host; 0 once the run is over. */
export function allot(budget: Budget): number {
  budget.left += workPerHost;
  return budget.overruns >= mostOverruns ? 0 : Math.max(0, Math.min(mostWork, budget.left));
}

/** What was left of the units: less than none where they did not do. */
export function settle(budget: Budget, allotted: number, left: number): void {
  budget.left -= allotted - left;
  if (left < 0) budget.overruns += 1;
}
