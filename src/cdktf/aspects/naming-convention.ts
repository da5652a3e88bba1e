import { quoted } from '../../core/lib/words.ts';
import { matchName, type NamePattern, readNamePattern } from '../../core/model/name-pattern.ts';
import { type AspectFinding, error, FleetAspect, type ReadClaim, warningFinding } from './fleet-aspect.ts';

export interface NamingConventionProps {
  /**
   * The form of every name: a regular expression, which must match the whole name, or a pattern such as
   * `{site}-{role}-{number}`, as the provider's function `parse_host_name` reads it.
   */
  readonly pattern: RegExp | string;
  /** The allowed values of a field: one of these words, or a regular expression that must match the whole value. */
  readonly fields?: Readonly<Record<string, readonly string[] | RegExp>>;
}

type Fault = (name: string) => string | undefined;

/** Every name that a stack requests follows the convention. Rule `rampart:naming-convention`. */
export class NamingConvention extends FleetAspect {
  readonly ruleId = 'rampart:naming-convention';
  readonly #faultOf: Fault;

  /** Throws if the pattern can't be read, or if one of `fields` is missing from it. */
  constructor({ pattern, fields = {} }: NamingConventionProps) {
    super();
    this.#faultOf = typeof pattern === 'string' ? byPattern(pattern, fields) : byExpression(pattern, fields);
  }

  protected check(claim: ReadClaim): readonly AspectFinding[] {
    if (claim.kind === 'members') return [];
    if (claim.kind === 'rule')
      return claim.renames
        ? [warningFinding(`${claim.title} makes names that only a plan knows, so they are not checked`)]
        : [];
    const { name, title, deletes } = claim;
    if (name === undefined || deletes === 'now') return [];
    if (name.kind === 'later')
      return [warningFinding(`the name of ${title} is known only to Terraform, so it is not checked`)];
    const fault = this.#faultOf(name.text);
    return fault === undefined ? [] : [error(`${title}: the name ${quoted(name.text)} ${fault}`)];
  }
}

function byExpression(pattern: RegExp, fields: object): Fault {
  const [field] = Object.keys(fields);
  if (field !== undefined)
    throw new Error(`NamingConvention: a regular expression has no fields, such as ${quoted(field)}`);
  const whole = wholeOf(pattern);
  return (name) => (whole.test(name) ? undefined : `does not match ${String(pattern)}`);
}

function byPattern(source: string, fields: NonNullable<NamingConventionProps['fields']>): Fault {
  const pattern = readNamePattern(source);
  if (!pattern.ok) throw new Error(`NamingConvention: ${pattern.fault}`);
  const checks = Object.entries(fields).map(([field, allowed]) => {
    if (!hasField(pattern.value, field))
      throw new Error(`NamingConvention: the pattern ${quoted(source)} has no field {${field}}`);
    return [field, checkOf(allowed)] as const;
  });
  return (name) => {
    const found = matchName(name, pattern.value);
    if (found === null) return `does not have the form ${quoted(source)}`;
    for (const [field, fault] of checks) {
      const value = found[field] ?? '';
      const what = fault(value);
      if (what !== undefined) return `has ${quoted(value)} for {${field}}, which ${what}`;
    }
    return undefined;
  };
}

function hasField(pattern: NamePattern, name: string): boolean {
  return pattern.some((each) => each.kind === 'field' && each.name === name);
}

function checkOf(allowed: readonly string[] | RegExp): Fault {
  if (!(allowed instanceof RegExp))
    return (value) => (allowed.includes(value) ? undefined : `is not one of ${allowed.join(', ')}`);
  const whole = wholeOf(allowed);
  return (value) => (whole.test(value) ? undefined : `does not match ${String(allowed)}`);
}

/** Without the flags that make the expression keep its last position. */
function wholeOf({ source, flags }: RegExp): RegExp {
  return new RegExp(`^(?:${source})$`, flags.replaceAll(/[gym]/g, ''));
}
