import { canonicalJson } from '../core/lib/canonical-json.ts';
import { sha256Hex } from '../core/lib/hash.ts';
import type { Desired } from '../core/model/desired.ts';

/**
 * Equal for two desired states with the same content: layout, comments, files and the order of entries do not count. 64
 * hexadecimal digits.
 */
export function desiredHash(desired: Desired): string {
  const { companyId, limits, rules, policy, knownDrift } = desired;
  const entries = Array.from({ length: desired.count }, (_, index) =>
    canonicalJson(withoutPositions(desired.at(index))),
  );
  return sha256Hex(
    canonicalJson({
      companyId: companyId?.value,
      limits,
      entries: entries.toSorted(),
      rules: withoutPositions(rules),
      policy: withoutPositions(policy),
      knownDrift: withoutPositions(knownDrift),
    }),
  );
}

const positions: ReadonlySet<string> = new Set(['index', 'place']);

function withoutPositions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPositions);
  if (typeof value !== 'object' || value === null) return value;
  if ('needs' in value && 'source' in value) return value.source;
  const members = Object.entries(value).filter(([key]) => !positions.has(key));
  return Object.fromEntries(members.map(([key, each]) => [key, withoutPositions(each)]));
}
