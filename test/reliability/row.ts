/** One line of the fault matrix: the fault, the call, and how to determine the result. */
export interface Row {
  readonly what: string;
  readonly at: string;
  /** Makes the tries that belong to the sample. */
  run(sample: Sample): Promise<readonly Case[]>;
}

/** Does the try of this number, from 0, belong to it? */
export type Sample = (nth: number) => boolean;

export const everyTry: Sample = () => true;

/**
 * The first try of a row and about a fifth of the others; all of them with `RAMPART_SOAK=1`. The choice has no period, so
 * that it does not leave out the same host or the same call each time.
 */
export function sampleOf(row: number): Sample {
  if (process.env['RAMPART_SOAK'] === '1') return everyTry;
  return (nth) => nth === 0 || (Math.imul(31 * nth + row + 1, 0x9e3779b1) >>> 16) % 5 === 0;
}

/** What became of one try. */
export interface Case {
  /** What exactly was tried, for a message. */
  readonly title: string;
  /** The exit code of the disturbed run; null: it died. */
  readonly exit: number | null;
  /** The exit code of the undisturbed run after it; null: there was no need of one. */
  readonly next: number | null;
  /** What was found wrong; empty when it survived. */
  readonly breaches: readonly string[];
}

export function survived({ breaches }: Case): boolean {
  return breaches.length === 0;
}

/** Everything that was found wrong, case by case. */
export function findings(cases: readonly Case[]): readonly string[] {
  return cases.flatMap(({ title, breaches }) => breaches.map((breach) => `${title}: ${breach}`));
}

/** How a call is named in the matrix. */
export const callNames: Readonly<Record<string, string>> = {
  listHostsWithGroups: 'list of hosts and groups',
  listHosts: 'list of names (re-read)',
  listAntivirusDetails: 'anti-virus list',
  renameHost: 'rename',
  moveHosts: 'move',
  installAntivirus: 'install',
  deleteHosts: 'deletion',
};
