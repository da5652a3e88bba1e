/** A mutant that no test can notice, or that none should have to. */
export interface Accepted {
  readonly file: string;
  /** As `describeMutant` writes it. */
  readonly change: string;
  /** Why nobody would see the difference. */
  readonly reason: string;
}

export const acceptedMutants: readonly Accepted[] = [];
