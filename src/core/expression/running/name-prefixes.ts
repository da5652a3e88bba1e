import type { Condition } from '../../model/expression.ts';
import { planOf } from './condition-plan.ts';
import type { SimplePredicate, TextFact } from './simple-predicate.ts';

/** Prefixes, one of which every matching host's name has; undefined if any name may match. */
export function namePrefixes(condition: Condition): readonly string[] | undefined {
  for (const conjunct of planOf(condition).conjuncts) {
    const prefixes = prefixesOf(conjunct);
    if (prefixes !== undefined) return prefixes;
  }
  return undefined;
}

function prefixesOf(predicate: SimplePredicate): readonly string[] | undefined {
  switch (predicate.kind) {
    case 'is':
      return isName(predicate.fact) ? predicate.values : undefined;
    case 'startsWith':
      return isName(predicate.fact) ? [predicate.text] : undefined;
    case 'and':
      return prefixesOf(predicate.left) ?? prefixesOf(predicate.right);
    case 'or': {
      const left = prefixesOf(predicate.left);
      const right = prefixesOf(predicate.right);
      return left && right && [...left, ...right];
    }
    default:
      return undefined;
  }
}

function isName({ path, key }: TextFact): boolean {
  return path === 'host.name' && key === undefined;
}
