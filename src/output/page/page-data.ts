/** The data for the page's script, as JSON. Every text in it is printable. */
export interface PageData {
  readonly changes: readonly Change[];
  /** Group ids with the names that the page shows. */
  readonly groups: Readonly<Record<string, ShownName>>;
  /** Problem codes, by the number of the problem on the page. */
  readonly problems: readonly string[];
}

/** A text; a short and a full text; or null for a host without a name. */
export type ShownName = string | readonly [short: string, full: string] | null;

/** `temporary-rename`: a host to be deleted gets a temporary name, because another host needs its name. */
export const changeKinds = ['delete', 'antivirus', 'rename', 'temporary-rename', 'move'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const remarks = [
  'irreversible',
  'online',
  'no-previous-name',
  'case-only',
  'temporary-rename',
] as const;
export type Remark = (typeof remarks)[number];

/** One row of the table: one attribute of one host. */
export interface Change {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly name: ShownName;
  /** The new name. */
  readonly to?: ShownName;
  /** The id of its group before the plan. */
  readonly group: string;
  /** The id of its group after the move. */
  readonly target?: string;
  readonly remarks: readonly Remark[];
  /** Numbers of the problems that refer to this host. */
  readonly problems: readonly number[];
  /** `swap 1: 1 of 2`. */
  readonly order?: string;
  readonly file: string;
  readonly line: number;
  readonly rule?: string;
  /** The cells of tables that the new name was made of. */
  readonly cells?: readonly string[];
}
