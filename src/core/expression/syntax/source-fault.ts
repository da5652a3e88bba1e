/** What is wrong with the text of an expression; offsets in UTF-16 units of that text, with an exclusive end. */
export interface SourceFault {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly hint?: string;
}

export type Compiled<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly SourceFault[] };

export function faulty(...faults: readonly SourceFault[]): {
  readonly ok: false;
  readonly faults: readonly SourceFault[];
} {
  return { ok: false, faults };
}
