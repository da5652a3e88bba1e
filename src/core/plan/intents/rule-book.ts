import { createFaultLimit } from '../../expression/running/fault-limit.ts';
import { type ConditionFault, createMatcher } from '../../expression/running/first-match.ts';
import { memo } from '../../lib/memo.ts';
import { once } from '../../lib/once.ts';
import { printable } from '../../lib/printable.ts';
import { columnPath } from '../../model/column-path.ts';
import type { Rule } from '../../model/desired.ts';
import type { Entry } from '../../model/entry.ts';
import type { ColumnUse, Evaluated, ExpressionFault, Template } from '../../model/expression.ts';
import type { Facts, KeyDoubt } from '../../model/facts.ts';
import { hasLineBreak } from '../../model/host-name.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import { readTemporaryName } from '../../model/temporary-name.ts';
import type { Claim, RowUse } from './claim.ts';
import { type ListedSubject, subjectOf, subjectsAt } from './subject.ts';

/** What the rules request for one host. For each attribute, the first matching rule that sets it wins. */
export interface RuleClaims {
  readonly name?: { readonly to: string; readonly claim: Claim } | undefined;
  readonly group?: Rule | undefined;
  readonly antivirus?: Rule | undefined;
  readonly ensure?: Rule | undefined;
}

/** A rule that has no result for a host: its condition or its name can't be computed, or depends on an unknown fact. */
export interface RuleFault {
  readonly rule: Rule;
  readonly attribute: 'when' | 'rename';
  readonly host: ObservedHost;
  readonly fault: ExpressionFault;
}

/** A name with blanks at its ends, or with characters that can't be seen. */
export interface DoubtfulName {
  readonly rule: Rule;
  readonly host: ObservedHost;
  readonly name: string;
}

/** A rule that identifies hosts by their keys, and does nothing for this one. */
export interface RuleSuccessor {
  readonly rule: Rule;
  readonly host: ObservedHost;
  readonly name: string;
  readonly doubt: KeyDoubt;
}

/** A rule that matches a host only because an unknown fact reads as empty. */
export interface RuleGuess {
  readonly rule: Rule;
  readonly host: ObservedHost;
}

export interface RuleBook {
  readonly isEmpty: boolean;
  /** Undefined if no rule matches. Attributes that an entry sets are not evaluated. */
  claimsOn(host: ObservedHost, entry?: Entry): RuleClaims | undefined;
  /** The same for the host at an index of the list. */
  claimsAt(index: number): RuleClaims | undefined;
  /**
   * The faults of all hosts evaluated so far. If a rule's condition has no result, later rules claim nothing, because
   * that rule might have won.
   */
  faults(): readonly RuleFault[];
  /**
   * The rules that do nothing for a host because a cell of a table, or another fact that never reads as empty, is
   * unknown. Rules after such a rule do not set what it would have set.
   */
  unknowns(): readonly RuleFault[];
  /** The guesses of all hosts evaluated so far. Such a rule neither renames nor deletes a host. */
  guesses(): readonly RuleGuess[];
  /** Hosts that a rule with `successor` leaves alone, unless it ignores them. */
  successors(): readonly RuleSuccessor[];
  /** Names made by a rule that deserve a review. */
  doubtful(): readonly DoubtfulName[];
  /** Hosts with a temporary name that no rule names anymore. They get the final name in their temporary name. */
  completed(): readonly ObservedHost[];
}

export function createRuleBook(rules: readonly Rule[], observed: Observed, facts: Facts): RuleBook {
  const faults: RuleFault[] = [];
  const unknowns: RuleFault[] = [];
  const completed: ObservedHost[] = [];
  const doubtful: DoubtfulName[] = [];
  const guesses: RuleGuess[] = [];
  const successors: RuleSuccessor[] = [];
  const rendererOf = memo(nameRenderer);
  const columnsOf = memo(distinctColumns);
  const match = createMatcher(rules.map(({ when }) => when));
  const subjectAt = once(() => subjectsAt(observed, facts));
  const firstNaming = rules.find((rule) => rule.rename !== undefined);

  return {
    isEmpty: rules.length === 0,
    claimsOn: (host, entry) =>
      rules.length === 0 ? undefined : claimsOf(subjectOf(host, observed, facts), entry),
    claimsAt: (index) => claimsOf(subjectAt()(index)),
    faults: () => faults,
    unknowns: () => unknowns,
    guesses: () => guesses,
    successors: () => successors,
    doubtful: () => doubtful,
    completed: () => completed,
  };

  function claimsOf(subject: ListedSubject, entry?: Entry): RuleClaims | undefined {
    const { matches: held, faults: failed, guessed } = match(subject);
    const undecided =
      failed.length === 0 ? failed : failed.filter(({ fault }) => fault.isUnknownFact !== true);
    for (const { index, fault } of undecided) {
      faults.push({ rule: rules[index] as Rule, attribute: 'when', host: subject.host, fault });
    }
    const end = undecided[0]?.index ?? rules.length;
    const matches = undecided.length === 0 ? held : held.filter((index) => index < end);
    const unknown =
      failed.length === 0
        ? failed
        : failed.filter(({ index, fault }) => fault.isUnknownFact === true && index < end);
    const mayComplete = subject.hasTemporaryName && undecided.length === 0;
    if (matches.length === 0 && unknown.length === 0 && !mayComplete) return undefined;
    const { first, doNothing } =
      unknown.length === 0 ? nothingWaits : waitingFor({ rules, unknown, matches, guessed, entry });
    for (const { index, fault } of doNothing) {
      unknowns.push({ rule: rules[index] as Rule, attribute: 'when', host: subject.host, fault });
    }
    let naming: Rule | undefined;
    let group: Rule | undefined;
    let antivirus: Rule | undefined;
    let ensure: Rule | undefined;
    for (const index of matches) {
      const rule = rules[index] as Rule;
      const isGuess = guessed.length > 0 && guessed.includes(index);
      if (isGuess) guesses.push({ rule, host: subject.host });
      const may = (attribute: RuleSets) => index < (first[attribute] ?? Number.POSITIVE_INFINITY);
      if (maySet(rule, 'rename', isGuess) && entry?.name === undefined && may('rename')) naming ??= rule;
      if (maySet(rule, 'group', isGuess) && entry?.group === undefined && may('group')) group ??= rule;
      if (maySet(rule, 'antivirus', isGuess) && entry?.antivirus !== true && may('antivirus'))
        antivirus ??= rule;
      if (maySet(rule, 'ensure', isGuess) && entry === undefined && may('ensure')) ensure ??= rule;
    }
    if (ensure?.ensure === 'absent') return { ensure };
    const name = entry?.name === undefined ? nameFor(naming, subject, mayComplete) : undefined;
    if (name !== undefined && naming !== undefined && isLeftAlone(naming, subject, name.to))
      return claimsWithout(naming, { group, antivirus, ensure });
    const isClaimed = (name ?? naming ?? group ?? antivirus ?? ensure) !== undefined;
    return isClaimed ? { name, group, antivirus, ensure } : undefined;
  }

  /** Does the rule identify hosts by their keys, and is it not certain that this host is the one to get the name? */
  function isLeftAlone(rule: Rule, subject: ListedSubject, name: string): boolean {
    if (rule.successor === undefined || name === subject.name) return false;
    const doubt = subject.facts.keys?.doubtAbout(subject, name);
    if (doubt === undefined || (doubt === 'vacant' && rule.successor === 'adopt')) return false;
    if (rule.successor !== 'ignore') successors.push({ rule, host: subject.host, name, doubt });
    return true;
  }

  function nameFor(rule: Rule | undefined, subject: ListedSubject, mayComplete: boolean): RuleClaims['name'] {
    if (rule?.rename !== undefined) {
      const rendered = rendererOf(rule.rename)(subject);
      if (rendered.ok) {
        const isKept = rendered.value === subject.host.name;
        // The text of the list in place of an equal one, which would be compared again and again.
        const name = isKept ? (subject.host.name ?? '') : rendered.value;
        if (name !== name.trim() || printable(name) !== name)
          doubtful.push({ rule, host: subject.host, name });
        // Nobody needs the origin of a name that the host already has.
        const cells = isKept ? undefined : cellsOf(columnsOf(rule.rename), subject);
        return { to: name, claim: { kind: 'rule', rule, ...(cells === undefined ? {} : { cells }) } };
      }
      const { fault } = rendered;
      const isUnknown = fault.isUnknownFact === true && rule.rename.columns !== undefined;
      (isUnknown ? unknowns : faults).push({ rule, attribute: 'rename', host: subject.host, fault });
      return undefined;
    }
    const { host } = subject;
    const hasTemporaryName =
      firstNaming !== undefined && mayComplete && readTemporaryName(host.name)?.kind === 'rename';
    if (!hasTemporaryName) return undefined;
    completed.push(host);
    return { to: subject.name, claim: { kind: 'temporary-name', rule: firstNaming } };
  }
}

function claimsWithout(rule: Rule, { group, antivirus, ensure }: RuleClaims): RuleClaims | undefined {
  const others = [group, antivirus, ensure].map((each) => (each === rule ? undefined : each));
  const [ofGroup, ofAntivirus, ofEnsure] = others;
  return others.every((each) => each === undefined)
    ? undefined
    : { group: ofGroup, antivirus: ofAntivirus, ensure: ofEnsure };
}

/** What a rule can set, by its keys. */
export const everySet = ['rename', 'group', 'antivirus', 'ensure'] as const;
export type RuleSets = (typeof everySet)[number];

interface Waiting {
  /** For each attribute, the first rule that would perhaps set it: no later rule sets it. */
  readonly first: Partial<Record<RuleSets, number>>;
  /** The unknown conditions that decide something: no entry and no earlier rule sets all that their rules set. */
  readonly doNothing: readonly ConditionFault[];
}

interface WaitingInputs {
  readonly rules: readonly Rule[];
  readonly unknown: readonly ConditionFault[];
  readonly matches: readonly number[];
  readonly guessed: readonly number[];
  readonly entry: Entry | undefined;
}

const nothingWaits: Waiting = { first: {}, doNothing: [] };

function waitingFor({ rules, unknown, matches, guessed, entry }: WaitingInputs): Waiting {
  const first: Partial<Record<RuleSets, number>> = {};
  const isClaimed = (attribute: RuleSets, before: number) =>
    matches.some(
      (earlier) => earlier < before && maySet(rules[earlier] as Rule, attribute, guessed.includes(earlier)),
    );
  const doNothing = unknown.filter(({ index }) => {
    const open = everySet.filter(
      (attribute) =>
        setsAttribute(rules[index] as Rule, attribute) &&
        !isSetBy(entry, attribute) &&
        !isClaimed(attribute, index),
    );
    for (const attribute of open) first[attribute] ??= index;
    return open.length > 0;
  });
  return { first, doNothing };
}

export function setsAttribute(rule: Rule, attribute: RuleSets): boolean {
  return attribute === 'antivirus' ? rule.antivirus : rule[attribute] !== undefined;
}

/** A rule that matches a host by a guess neither renames nor deletes it. */
export function maySet(rule: Rule, attribute: RuleSets, isGuess: boolean): boolean {
  if (!setsAttribute(rule, attribute)) return false;
  return !isGuess || (attribute !== 'rename' && (attribute !== 'ensure' || rule.ensure === 'present'));
}

function isSetBy(entry: Entry | undefined, attribute: RuleSets): boolean {
  switch (attribute) {
    case 'rename':
      return entry?.name !== undefined;
    case 'group':
      return entry?.group !== undefined;
    case 'antivirus':
      return entry?.antivirus === true;
    case 'ensure':
      return entry !== undefined;
  }
}

function distinctColumns({ columns = [] }: Template): readonly ColumnUse[] {
  return [...new Map(columns.map((each) => [columnPath(each), each])).values()];
}

/** The cells that a name is made of. */
function cellsOf(columns: readonly ColumnUse[], subject: ListedSubject): readonly RowUse[] | undefined {
  const { tables } = subject.facts;
  if (tables === undefined) return undefined;
  const cells = columns.flatMap(({ table, column }) =>
    tables.cellOf(table, column, subject) === undefined
      ? []
      : [{ table, column, row: tables.rowOf(table, subject) }],
  );
  return cells.length === 0 ? undefined : cells;
}

function nameRenderer(rename: Template): (subject: ListedSubject) => Evaluated<string> {
  const render = rename.begin();
  const limit = createFaultLimit();
  return (subject) => limit.ask(() => checkName(render(subject)));
}

function checkName(rendered: Evaluated<string>): Evaluated<string> {
  if (!rendered.ok) return rendered;
  if (rendered.value.trim() === '') return { ok: false, fault: { message: 'the name would be empty' } };
  if (hasLineBreak(rendered.value))
    return { ok: false, fault: { message: 'the name would contain a line break' } };
  if (readTemporaryName(rendered.value) !== undefined)
    return { ok: false, fault: { message: 'names with "~rampart" are reserved for temporary renames' } };
  return rendered;
}
