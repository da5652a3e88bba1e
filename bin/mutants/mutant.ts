/** One change to the source that a test should notice. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
  /** Evaluated once, when its module is loaded. */
  readonly isStatic: boolean;
}

/** A mutant that no test can notice, or that none should have to. */
export interface Accepted {
  readonly file: string;
  /** As `describeMutant` writes it. */
  readonly change: string;
  /** Why the difference has no visible effect. */
  readonly reason: string;
}

/** A mutant as its file, the source and the change, on one line: the same as long as these are. */
export function describeMutant({ original, replacement }: Pick<Mutant, 'original' | 'replacement'>): string {
  return `${oneLine(original)}  =>  ${oneLine(replacement)}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
