import { printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import { changeNouns, oneChange } from '../../core/plan/guards/guard.ts';
import { effectKey, type PlanEffect, type PlanShape } from '../../core/plan/plan-shape.ts';
import { cutText } from './cut-text.ts';

export interface AccountShape extends PlanShape {
  readonly account: string;
}

/** How the plans of several accounts differ. */
export interface ShapesCompared {
  /** What most of them change: as many accounts as possible with effects of the same kinds and rules. */
  readonly usual: { readonly accounts: readonly string[]; readonly text: string };
  /** All others, each once, the fewest accounts with a difference first. */
  readonly unusual: readonly { readonly accounts: readonly string[]; readonly text: string }[];
}

/** Undefined without plans. Effects are the same if their kind and their rule are: their numbers of hosts may differ. */
export function compareShapes(plans: readonly AccountShape[]): ShapesCompared | undefined {
  const alike = Map.groupBy(plans, ({ effects }) => JSON.stringify(effects.map(effectKey).sort()));
  const groups = [...alike.values()].sort((a, b) => b.length - a.length);
  const [usual, ...others] = groups;
  if (usual === undefined) return undefined;
  const known = totals(usual);
  return {
    usual: {
      accounts: namesOf(usual),
      text: [...known.values()].map(effectWords).join(', ') || 'no changes',
    },
    unusual: others
      .reverse()
      .map((group) => ({ accounts: namesOf(group), text: differenceWords(known, totals(group)) })),
  };
}

const namesOf = (plans: readonly AccountShape[]) => plans.map(({ account }) => account);

/** One effect over all accounts of a group. */
interface TotalEffect extends PlanEffect {
  readonly accounts: number;
  readonly least: number;
  readonly most: number;
  /** The account with the most hosts. */
  readonly mostIn: string;
}

/** In the order of their keys. */
function totals(plans: readonly AccountShape[]): ReadonlyMap<string, TotalEffect> {
  const sums = new Map<string, TotalEffect>();
  for (const { account, effects } of plans) {
    for (const each of effects) {
      const { hosts } = each;
      const sum = sums.get(effectKey(each)) ?? {
        ...each,
        accounts: 0,
        least: hosts,
        most: 0,
        mostIn: account,
      };
      sums.set(effectKey(each), {
        ...sum,
        accounts: sum.accounts + 1,
        least: Math.min(sum.least, hosts),
        ...(hosts > sum.most ? { most: hosts, mostIn: account } : {}),
      });
    }
  }
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * `1 deletion: KSK-09` for one account with few hosts, `3 renames each (rule "names")` for several, and `1 to 30
 * renames, most in berlin` if they differ.
 */
function effectWords({ kind, of, accounts, least, most, mostIn, first }: TotalEffect): string {
  const words = count(most, oneChange(kind));
  const range =
    least < most
      ? `${grouped(least)} to ${words}, most in ${mostIn}`
      : accounts > 1
        ? `${words} each`
        : words;
  const hosts = accounts > 1 || most > first.length ? '' : `: ${first.map(shortName).join(', ')}`;
  return `${range}${originWords(of)}${hosts}`;
}

/** `also 1 deletion: KSK-09; without renames (rule "names")`. */
function differenceWords(
  usual: ReadonlyMap<string, TotalEffect>,
  own: ReadonlyMap<string, TotalEffect>,
): string {
  const more = [...own].filter(([key]) => !usual.has(key)).map(([, each]) => effectWords(each));
  const less = [...usual]
    .filter(([key]) => !own.has(key))
    .map(([, { kind, of }]) => `${changeNouns[kind]}${originWords(of)}`);
  return [
    ...(more.length === 0 ? [] : [`also ${more.join(', ')}`]),
    ...(less.length === 0 ? [] : [`without ${less.join(', ')}`]),
  ].join('; ');
}

const originWords = (of: string | null): string => (of === null ? '' : ` (${shortName(of)})`);

/** Names are untrusted. */
const shortName = (name: string): string => printable(cutText(name, 100));
