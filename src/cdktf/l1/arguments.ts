/** How a value is written in a stack: a plain value, or the arguments of a block. */
export type Argument = 'string' | 'boolean' | 'number' | 'list' | 'map' | Arguments;

/** The arguments of a construct by their Terraform names. */
export interface Arguments {
  readonly [name: string]: Argument;
}

type Terms = Record<string, unknown>;
type Wording = (argument: Argument, value: unknown) => unknown;

/** The given values by their Terraform names; values that were not given are left out. */
export function argumentsOf(takes: Arguments, given: object): Terms {
  return termsOf(takes, given, wordForJson);
}

/** The same for a stack in HCL, where each value states its type. */
export function hclArgumentsOf(takes: Arguments, given: object): Terms {
  return termsOf(takes, given, wordForHcl);
}

/** `host_id` as `hostId`. */
export function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function termsOf(takes: Arguments, given: object, word: Wording): Terms {
  const values = given as Readonly<Terms>;
  const terms = Object.entries(takes).flatMap(([name, argument]) => {
    const value = values[camel(name)];
    return value === undefined ? [] : [[name, word(argument, value)] as const];
  });
  return Object.fromEntries(terms);
}

function wordForJson(argument: Argument, value: unknown): unknown {
  return typeof argument === 'string' ? value : bodiesOf(argument, value, wordForJson);
}

function wordForHcl(argument: Argument, value: unknown): unknown {
  switch (argument) {
    case 'string':
    case 'boolean':
    case 'number':
      return { value, type: 'simple', storageClassType: argument };
    case 'list':
      return { value, type: 'list', storageClassType: 'stringList' };
    case 'map':
      return { value, type: 'map' };
    default:
      return {
        value: bodiesOf(argument, value, wordForHcl),
        isBlock: true,
        type: Array.isArray(value) ? 'list' : 'struct',
      };
  }
}

/** One block or several. Values that are not plain objects, such as tokens or dynamic blocks, are used unchanged. */
function bodiesOf(block: Arguments, value: unknown, word: Wording): unknown {
  if (Array.isArray(value)) return value.map((each) => bodiesOf(block, each, word));
  return isPlain(value) ? termsOf(block, value, word) : value;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
