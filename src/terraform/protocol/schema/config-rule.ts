import { isUnknown } from '../value/unknown.ts';
import type { RecordValue, Value } from '../value/value.ts';

/** A rule between the attributes of one schema, by their names. */
export interface ConfigRule {
  /** For the documentation. */
  readonly description: string;
  /** Null, or the fault; the diagnostic points at the named attribute. */
  check(config: RecordValue): { readonly attribute: string; readonly fault: string } | null;
}

/** Unknown values may still become null, so only known values can break a rule. */
export function exactlyOneOf(...names: readonly string[]): ConfigRule {
  const description = `exactly one of ${listed(names)} must be set`;
  return {
    description,
    check: (config) => {
      const { set, unsure } = count(config, names);
      if (set.length > 1) return { attribute: set[1] as string, fault: description };
      return set.length + unsure === 0 ? { attribute: names[0] as string, fault: description } : null;
    },
  };
}

export function atMostOneOf(...names: readonly string[]): ConfigRule {
  const description = `at most one of ${listed(names)} may be set`;
  return {
    description,
    check: (config) => {
      const second = count(config, names).set[1];
      return second === undefined ? null : { attribute: second, fault: description };
    },
  };
}

export function atLeastOneOf(...names: readonly string[]): ConfigRule {
  const description = `at least one of ${listed(names)} must be set`;
  return {
    description,
    check: (config) => {
      const { set, unsure } = count(config, names);
      return set.length + unsure === 0 ? { attribute: names[0] as string, fault: description } : null;
    },
  };
}

function count(config: RecordValue, names: readonly string[]) {
  const valueOf = (name: string): Value => config[name] ?? null;
  return {
    set: names.filter((name) => valueOf(name) !== null && !isUnknown(valueOf(name))),
    unsure: names.filter((name) => isUnknown(valueOf(name))).length,
  };
}

function listed(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter((each) => each !== '').join(' and ');
}
