/** The page of the console about a change, which has the id of its plan. */
export function changePath(plan: string): string {
  return `/changes/${encodeURIComponent(plan)}`;
}
