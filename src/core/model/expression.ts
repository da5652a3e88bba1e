import type { FactNeeds, Facts } from './facts.ts';
import type { HostId, ObservedHost } from './observed.ts';

/** The host that an expression is evaluated for. */
export interface ExpressionSubject {
  readonly id: HostId;
  readonly host: ObservedHost;
  /** The value of `host.name`: the observed name, or the final name if the host has a temporary name; "" for null. */
  readonly name: string;
  /** The name of the host's group; "" if the host has no group or the group has no name. */
  readonly group: string;
  readonly facts: Facts;
}

/** One change of one host, as policies see it. */
export interface ChangeFacts {
  readonly kind: 'rename' | 'move' | 'antivirus' | 'delete';
  /** The name or the name of the group before; "" for the other kinds. */
  readonly from: string;
  /** The name or the name of the group after; "" for the other kinds. */
  readonly to: string;
}

/** Why an expression has no value for one host, such as a division by zero. */
export interface ExpressionFault {
  readonly message: string;
  /** The expression is valid, but a fact that it reads is unknown for this host. */
  readonly isUnknownFact?: true;
  /** The expression was not evaluated for this host, because it failed for the first hosts. */
  readonly isSkipped?: true;
}

export type Evaluated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ExpressionFault };

/** The result of a condition for one host. */
export type Verdict =
  | {
      readonly ok: true;
      readonly value: boolean;
      /** It holds only because an unknown fact reads as empty. */
      readonly guessed?: true;
    }
  | Extract<Evaluated<never>, { ok: false }>;

/** A category of custom fields that an expression reads, and the values that the expression compares it with. */
export interface CustomFieldUse {
  readonly category: string;
  readonly values: readonly string[];
}

/** What an expression reads of the account. */
export interface AccountUse {
  /** The first fact that it reads, such as `account.labels.region`. */
  readonly fact: string;
  /** The labels that it names. */
  readonly labels: readonly string[];
}

/** A column of a table that an expression reads. */
export interface ColumnUse {
  readonly table: string;
  readonly column: string;
}

/** A text that an expression compares over all hosts of the fleet: the argument of `twins`. */
export interface TwinUse {
  /** The expression, which also identifies it. */
  readonly source: string;
  begin(): (subject: ExpressionSubject) => Evaluated<string>;
}

/** What an expression reads. */
interface ExpressionUses {
  readonly source: string;
  /** Paths of the facts that it reads, such as `host.antivirus.installed`. */
  readonly reads: readonly string[];
  readonly needs: FactNeeds;
  readonly customFields: readonly CustomFieldUse[];
  /** Absent if the expression reads nothing of the account. */
  readonly account?: AccountUse;
  /** Absent if the expression reads no table. */
  readonly columns?: readonly ColumnUse[];
  /** Absent if the expression looks for no twins. */
  readonly twins?: readonly TwinUse[];
}

/** A type-checked boolean expression over a host; a missing fact reads as "". */
export interface Condition extends ExpressionUses {
  /**
   * Begins a run over any number of hosts, which share one work budget. A change is passed only if the condition was
   * compiled for policies.
   */
  begin(): (subject: ExpressionSubject, change?: ChangeFacts) => Verdict;
}

/** A text with `${…}` in it. A missing fact is a fault that names it. */
export interface Template extends ExpressionUses {
  /** Begins a run over any number of hosts, which share one work budget. */
  begin(): (subject: ExpressionSubject) => Evaluated<string>;
}
