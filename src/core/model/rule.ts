import type { Condition, Template } from './expression.ts';
import type { SuccessorWord } from './identity.ts';
import type { GroupIntent } from './observed.ts';

/** One item under `rules:`, which sets attributes of every host that matches. An absent attribute is left to others. */
export interface Rule {
  /** Its index among all rules of all files. For each attribute, the first matching rule that sets it wins. */
  readonly index: number;
  readonly name: string;
  readonly when: Condition;
  readonly group?: GroupIntent;
  readonly rename?: Template;
  /** Renames only hosts whose key is certain, and decides who takes a name that no host has; absent to rename all. */
  readonly successor?: SuccessorWord;
  readonly antivirus: boolean;
  readonly ensure?: 'present' | 'absent';
  /** For a stage, its hosts without regard to their time offline. */
  readonly ofAnyAge?: Condition;
}

export type RuleAttribute = 'name' | 'when' | 'group' | 'rename' | 'antivirus' | 'ensure';
