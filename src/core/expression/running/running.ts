import type { ChangeFacts, ExpressionSubject } from '../../model/expression.ts';
import { longestList, longestText, mostWork } from '../expression-limits.ts';

/** The subject of one evaluation, and how much work it may still do. */
export interface Running {
  readonly subject: ExpressionSubject;
  readonly change?: ChangeFacts | undefined;
  /** In templates a missing fact is a fault; in conditions it reads as "", 0, false or an empty list. */
  readonly missing: 'reads-empty' | 'is-fault';
  /** Whether an unknown fact was read as empty. */
  readEmpty: boolean;
  /** All faults by their messages: an operator that joins several keeps only the message of the first. */
  faults?: Map<string, PlainFault>;
  /** Whether the evaluation read a cell of a table. Its faults then show no value, because problems are logged. */
  readsCells?: boolean;
  left: number;
}

/** A fault in our own words, which a function throws and the engine passes on. */
export class PlainFault extends Error {
  readonly withoutValues: string;

  constructor(message: string, withoutValues = message) {
    super(message);
    this.withoutValues = withoutValues;
    if (current !== undefined) (current.faults ??= new Map()).set(message, this);
  }
}

/** A fault that shows values of the evaluation: each value in a template. */
export function faultAbout(parts: TemplateStringsArray, ...values: readonly (string | bigint | number)[]) {
  return new PlainFault(String.raw({ raw: parts }, ...values), parts.join('…'));
}

/**
 * A fault of the host rather than of the expression: a fact that the expression reads is unknown, whatever the operators
 * around it make of that.
 */
export class UnknownFact extends PlainFault {}

export const tooManySteps = 'the expression takes too many steps: nest fewer macros, or use shorter lists';

// Evaluation is synchronous, so the functions find the current one in a single variable. It nests if a fact is itself
// the value of an expression, such as the row of a table that an expression joins to the host.
let current: Running | undefined;

export function whileRunning<T>(running: Running, work: () => T): T {
  const outer = current;
  current = running;
  try {
    return work();
  } finally {
    current = outer;
  }
}

export function running(): Running {
  if (current === undefined) throw new Error('a fact was read outside of an evaluation');
  return current;
}

export function spend(units: number): void {
  const now = running();
  now.left -= units;
  if (now.left < 0) throw new PlainFault(tooManySteps);
}

/** Call this before searching one text for another. */
export function spendOnSearch(text: string, part: string): void {
  spend(1 + Math.floor((text.length * (part.length + 16)) / 65_536));
}

/** Call this before reading all items of a list outside a macro. */
export function spendOnItems(count: number): void {
  spend(1 + (count >> 3));
}

/** Call this before making a text of this length. */
export function boundedLength(length: number): void {
  if (length > longestText) {
    throw new PlainFault(`the expression creates a string of more than ${longestText} characters`);
  }
  spend(1 + (length >> 6));
}

export function boundedText(text: string): string {
  boundedLength(text.length);
  return text;
}

export function boundedList<T>(list: readonly T[]): readonly T[] {
  if (list.length > longestList) {
    throw new PlainFault(`the expression creates a list of more than ${longestList} items`);
  }
  spend(1 + list.length);
  return list;
}

/** The units that one expression may use for all hosts of a run, in addition to `workPerHost` for each of them. */
const mostWorkInAll = 2_000_000;
const workPerHost = 500;

/** A run of an expression stops after this number of hosts for which it failed. */
export const mostFaults = 3;

/** The work that one expression may still do in a run over any number of hosts. */
export interface ExpressionBudget {
  left: number;
  overruns: number;
}

export function openBudget(): ExpressionBudget {
  return { left: mostWorkInAll, overruns: 0 };
}

/** Units for the next host; 0 once the run is over. */
export function allot(budget: ExpressionBudget): number {
  budget.left += workPerHost;
  return budget.overruns >= mostFaults ? 0 : Math.max(0, Math.min(mostWork, budget.left));
}

/** Books the units that were left. The number is negative if they were not enough. */
export function settle(budget: ExpressionBudget, allotted: number, left: number): void {
  budget.left -= allotted - left;
  if (left < 0) budget.overruns += 1;
}
