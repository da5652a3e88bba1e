import type { Desired, Rule } from '../../model/desired.ts';
import { type FilePosition, noLine, type Place } from '../../problem/problem.ts';
import type { Reason, ReasonCell } from '../types/step.ts';

/** A cell of a table that a name is made of. */
export interface RowUse {
  readonly table: string;
  readonly column: string;
  readonly row: number;
}

/** What sets one attribute of one host. */
export type Claim =
  /** The entry with this index. */
  | { readonly kind: 'entry'; readonly index: number }
  | { readonly kind: 'rule'; readonly rule: Rule; readonly cells?: readonly RowUse[] }
  /**
   * An earlier run left a temporary name, and no rule names the host now: it gets its final name from the temporary
   * name.
   */
  | { readonly kind: 'temporary-name'; readonly rule: Rule }
  /** The policy of a whole group. */
  | { readonly kind: 'group'; readonly place: Place };

export const claimed = ['name', 'group', 'antivirus', 'ensure'] as const;
export type Claimed = (typeof claimed)[number];

export function placeOfClaim(desired: Desired, claim: Claim, attribute: Claimed): Place {
  switch (claim.kind) {
    case 'entry':
      return desired.placeOf(claim.index, attribute);
    case 'rule':
      return desired.placeOfRule(claim.rule.index, attribute === 'name' ? 'rename' : attribute);
    case 'temporary-name':
      return desired.placeOfRule(claim.rule.index, 'rename');
    case 'group':
      return claim.place;
  }
}

export type Reasons = (claim: Claim, attribute: Claimed) => Reason;

/** A rule's reason is made once for all its hosts, except that each name from a table has its own cells. */
export function reasonsOf(desired: Desired): Reasons {
  const ofRules = new Map<Rule, Partial<Record<Claimed, Reason>>>();
  return (claim, attribute) => {
    if (claim.kind !== 'rule') return toReason(positionOfClaim(desired, claim, attribute));
    const { rule, cells } = claim;
    const known = ofRules.get(rule) ?? {};
    ofRules.set(rule, known);
    const reason = (known[attribute] ??= {
      ...toReason(placeOfClaim(desired, claim, attribute)),
      rule: rule.name,
    });
    return cells === undefined ? reason : { ...reason, cells: cells.map((cell) => toCell(desired, cell)) };
  };
}

function toCell({ tables = [] }: Desired, { table, column, row }: RowUse): ReasonCell {
  const rows = tables.find(({ name }) => name === table)?.rows;
  const { file, line, col } = rows?.positionOf(row, column) ?? { file: table, line: noLine, col: noLine };
  return { table, column, file, line, col };
}

function positionOfClaim(desired: Desired, claim: Claim, attribute: Claimed): FilePosition {
  return claim.kind === 'entry'
    ? desired.positionOf(claim.index, attribute)
    : placeOfClaim(desired, claim, attribute);
}

function toReason({ file, line, col }: FilePosition): Reason {
  return { file, line, col };
}
