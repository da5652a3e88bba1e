import { didYouMean, nearest, quoted } from '../../lib/words.ts';
import type { Desired } from '../../model/desired.ts';
import type { CustomFieldUse } from '../../model/expression.ts';
import type { Facts } from '../../model/facts.ts';
import { hostsOf, type Observed } from '../../model/observed.ts';
import { type Place, type Problem, problem, warning } from '../../problem/problem.ts';
import { expressionsOf } from './expressions-of.ts';

/**
 * Custom field categories that the account does not have, and values that no host has. Both are found only if the
 * service's lists were read.
 */
export function customFieldProblems(desired: Desired, observed: Observed, facts: Facts): readonly Problem[] {
  const judge = customFieldJudge(observed, facts);
  return expressionsOf(desired).flatMap(({ expression, label, place }) =>
    judge(expression.customFields, label, place),
  );
}

type Judge = (
  uses: readonly CustomFieldUse[],
  label: string,
  place: () => Place | undefined,
) => readonly Problem[];

/** `label` begins each message: `rule "sites"`. */
export function customFieldJudge(observed: Observed, facts: Facts): Judge {
  const { customFieldCategories: categories } = facts;
  let seen: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  const valuesIn = (category: string) => {
    seen ??= valuesByCategory(observed, facts);
    return seen.get(category);
  };
  return (uses, label, place) => {
    if (categories === undefined) return [];
    const found = new Map<string, Problem>();
    for (const { category, values } of uses) {
      const inUse = valuesIn(category);
      if (!categories.includes(category) && inUse === undefined) {
        found.set(category, unknownCategory(label, category, categories, place()));
        continue;
      }
      for (const value of values) {
        if (inUse?.has(value) === true) continue;
        const message = `${label}: no host has the value ${quoted(value)} in the custom field ${quoted(category)}`;
        found.set(
          `${category}\n${value}`,
          withPlace(warning, message, place(), didYouMean(nearest(value, inUse ?? []))),
        );
      }
    }
    return [...found.values()];
  };
}

function unknownCategory(
  label: string,
  category: string,
  categories: readonly string[],
  place: Place | undefined,
): Problem {
  const message = `${label}: the account has no custom field ${quoted(category)}`;
  const all =
    categories.length === 0
      ? 'it has no custom fields'
      : `it has ${categories.slice(0, 10).map(quoted).join(', ')}`;
  return withPlace(problem, message, place, didYouMean(nearest(category, categories)) ?? all);
}

function withPlace(
  report: typeof problem | typeof warning,
  message: string,
  place: Place | undefined,
  hint: string | undefined,
): Problem {
  return report('unknown-custom-field', message, {
    ...(place === undefined ? {} : { place }),
    ...(hint === undefined ? {} : { hint }),
  });
}

function valuesByCategory(observed: Observed, facts: Facts): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { id } of hostsOf(observed)) {
    for (const [category, value] of Object.entries(facts.customFieldsOf(id) ?? {})) {
      const values = found.get(category);
      if (values === undefined) found.set(category, new Set([value]));
      else values.add(value);
    }
  }
  return found;
}
