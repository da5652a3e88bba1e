import { once } from '../../lib/once.ts';
import type { Desired } from '../../model/desired.ts';
import type { Facts, NumberFacts } from '../../model/facts.ts';
import { type NumberRange, numberedName, numberKey, readNumber } from '../../model/numbered-name.ts';
import type { HostId, Observed } from '../../model/observed.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { collectIntents } from './intents.ts';
import type { Matching } from './matching.ts';
import { createRuleBook } from './rule-book.ts';

/** The names that `next` gives, and the ranges of their numbers. */
export interface NextNames extends NumberFacts {
  /** Those of the hosts that got a number. Empty if `next` gave none. */
  given(): readonly NumberRange[];
}

interface Wanted {
  readonly prefix: string;
  readonly digits: number;
  readonly hosts: HostId[];
}

/**
 * The number after the highest that a name in the fleet, in the desired state or in the record of earlier runs has. Which
 * hosts need one depends on all rules, so these are evaluated once with the number 0 for all of them.
 */
export function nextNames(
  { desired, lastNumbers = [] }: Pick<PlanInputs, 'desired' | 'lastNumbers'>,
  observed: Observed,
  matching: Matching,
  facts: Facts,
): NextNames {
  const assigned = once(() => {
    const wanted = new Map<string, Wanted>();
    const probe: NumberFacts = {
      nameOf(prefix, digits, { id }) {
        const key = numberKey(prefix, digits);
        const known = wanted.get(key) ?? { prefix, digits, hosts: [] };
        wanted.set(key, known);
        known.hosts.push(id);
        return numberedName(prefix, digits, 0);
      },
    };
    const book = createRuleBook(desired.rules, observed, { ...facts, numbers: probe });
    const intents = collectIntents(matching, observed, book);
    const named = new Set(intents.flatMap(({ host, name }) => (name === undefined ? [] : host.id)));
    const highest = new Map<string, number>();
    const note = (key: string, number: number) => highest.set(key, Math.max(number, highest.get(key) ?? 0));
    for (const { prefix, digits, last } of lastNumbers) note(numberKey(prefix, digits), last);
    for (const name of [...namesIn(desired, observed), ...intents.map((each) => each.name?.to)]) {
      const found = readNumber(name ?? '');
      if (found !== undefined) note(found.key, found.number);
    }
    const names = new Map<string, string>();
    const ranges: NumberRange[] = [];
    for (const [key, { prefix, digits, hosts }] of wanted) {
      const first = (highest.get(key) ?? 0) + 1;
      const inOrder = hosts
        .filter((id) => named.has(id))
        .toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
      const fitting = inOrder.slice(0, Math.max(0, 10 ** digits - first));
      for (const [index, id] of fitting.entries())
        names.set(`${key}\n${id}`, numberedName(prefix, digits, first + index));
      if (fitting.length > 0) ranges.push({ prefix, digits, first, last: first + fitting.length - 1 });
    }
    return { names, ranges };
  });
  let isAsked = false;
  return {
    nameOf(prefix, digits, { id }) {
      isAsked = true;
      return assigned().names.get(`${numberKey(prefix, digits)}\n${id}`);
    },
    given: () => (isAsked ? assigned().ranges : []),
  };
}

/** The names of the fleet, of entries, and of the cells that rules make names of. */
function* namesIn(desired: Desired, observed: Observed): Generator<string | null | undefined> {
  for (let index = 0; index < observed.count; index += 1) yield observed.nameAt(index);
  for (let index = 0; index < desired.count; index += 1) yield desired.nameAt(index);
  const { tables = [], rules } = desired;
  const used = rules.flatMap(({ rename }) => rename?.columns ?? []);
  for (const { name: table, rows } of tables) {
    const columns = new Set(used.filter((each) => each.table === table).map(({ column }) => column));
    for (const column of columns)
      for (let row = 0; row < rows.count; row += 1) yield rows.cellAt(row, column);
  }
}
