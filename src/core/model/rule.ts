import type { Condition, Template } from './expression.ts';
import type { GroupIntent } from './group.ts';

/** One item under `rules:`: what every host of a kind is to be. An attribute that is absent is left to others. */
export interface Rule {
  /** Its position among all rules of all files: the first that matches wins, for each attribute by itself. */
  readonly index: number;
  readonly name: string;
  readonly when: Condition;
  readonly group?: GroupIntent;
  readonly rename?: Template;
  readonly antivirus: boolean;
  readonly ensure?: 'present' | 'absent';
}

export type RuleAttribute = 'name' | 'when' | 'group' | 'rename' | 'antivirus' | 'ensure';
