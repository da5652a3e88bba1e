import { listed } from '../../../core/lib/words.ts';
import { isUnknown, type RecordValue } from '../value/value.ts';

/** A rule between the attributes of one schema, by their names. */
export interface ConfigRule {
  /** For the documentation. */
  readonly description: string;
  /** Null, or the fault; the diagnostic points at the named attribute. */
  check(config: RecordValue): { readonly attribute: string; readonly fault: string } | null;
}

export function exactlyOneOf(...names: readonly string[]): ConfigRule {
  return countRule(`exactly one of ${listed(names.map(asCode))} must be set`, names, { least: 1, most: 1 });
}

export function atMostOneOf(...names: readonly string[]): ConfigRule {
  return countRule(`at most one of ${listed(names.map(asCode))} may be set`, names, { least: 0, most: 1 });
}

export function atLeastOneOf(...names: readonly string[]): ConfigRule {
  return countRule(`at least one of ${listed(names.map(asCode))} must be set`, names, {
    least: 1,
    most: names.length,
  });
}

/** Unknown values may still become null, so only known values can break a rule. */
function countRule(
  description: string,
  names: readonly string[],
  { least, most }: { readonly least: number; readonly most: number },
): ConfigRule {
  return {
    description,
    check(config) {
      const given = names.filter((name) => (config[name] ?? null) !== null);
      const known = given.filter((name) => !isUnknown(config[name]));
      const attribute = given.length < least ? names[0] : known[most];
      return attribute === undefined ? null : { attribute, fault: description };
    },
  };
}

function asCode(name: string): string {
  return `\`${name}\``;
}
