import { bound, type CelType, fits, readType, showType } from '../checker/cel-type.ts';
import { spendOnSearch } from '../running/running.ts';
import { conversions } from './conversions.ts';
import type { FunctionBody, FunctionSource } from './function-source.ts';
import { networkFunctions } from './network-functions.ts';
import { sizeOf, stringFunctions } from './string-functions.ts';

/** Functions over time and over the whole fleet. The checker replaces each of them with calls that read facts. */
const fleetFunctions: readonly FunctionSource[] = [
  { signature: 'age(string): duration', about: 'the time from this time to the time of the plan' },
  { signature: 'age(timestamp): duration', about: 'the same for a time' },
  {
    signature: 'twins(string): int',
    about:
      'how many other hosts have the same value, ignoring letter case; unknown for a value that identifies nothing',
  },
  { signature: 'twins(int): int', about: 'the same for a number' },
  {
    signature: 'next(string, int): string',
    about:
      'for names: the text and the next number of so many digits, such as next("BER-LT-", 3). A host that has such a name keeps it',
  },
];

/** One overload of a function: the types it takes and returns. */
export interface FunctionForm {
  readonly name: string;
  /** The type of the receiver; absent for a global function. */
  readonly receiver?: CelType;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly signature: string;
  readonly about: string;
  readonly run?: FunctionBody;
}

const ofTheLanguage: readonly FunctionSource[] = [
  {
    signature: 'string.contains(string): bool',
    about: 'whether it contains the text',
    run: (text: string, part: string) => {
      spendOnSearch(text, part);
      return text.includes(part);
    },
  },
  { signature: 'string.startsWith(string): bool', about: 'whether it begins with the text' },
  { signature: 'string.endsWith(string): bool', about: 'whether it ends with the text' },
  { signature: 'string.size(): int', about: 'the number of characters', run: sizeOf },
  { signature: 'list<A>.size(): int', about: 'the number of items' },
  { signature: 'map<A, B>.size(): int', about: 'the number of entries' },
  { signature: 'size(string): int', about: 'the number of characters', run: sizeOf },
  { signature: 'size(list<A>): int', about: 'the number of items' },
  { signature: 'size(map<A, B>): int', about: 'the number of entries' },
];

export const functionForms: readonly FunctionForm[] = [
  ...stringFunctions,
  ...networkFunctions,
  ...ofTheLanguage,
  ...conversions,
  ...fleetFunctions,
].map(readForm);

const formsByName: ReadonlyMap<string, readonly FunctionForm[]> = Map.groupBy(
  functionForms,
  ({ name }) => name,
);

export function formsOf(name: string): readonly FunctionForm[] {
  return formsByName.get(name) ?? [];
}

/** The macros of CEL, which look like functions. */
export const macroNames = ['has', 'exists', 'all', 'exists_one', 'map', 'filter'] as const;

export function functionNames(): readonly string[] {
  return [...formsByName.keys(), ...macroNames];
}

/** The result type of a call, or undefined if the overload does not fit it. */
export function resultOf(form: FunctionForm, args: readonly CelType[]): CelType | undefined {
  const expected = form.receiver === undefined ? form.params : [form.receiver, ...form.params];
  if (expected.length !== args.length) return undefined;
  const bindings = new Map<string, CelType>();
  const all = expected.every((type, index) => fits(type, args[index] as CelType, bindings));
  return all ? bound(form.result, bindings) : undefined;
}

function readForm({ signature, about, run }: FunctionSource): FunctionForm {
  const parts = /^(?:([\w<>, ]+)\.)?(\w+)\((.*)\): (.+)$/.exec(signature);
  if (parts === null) throw new Error(`no signature: ${signature}`);
  const [, receiver, name, params, result] = parts as unknown as readonly string[];
  return {
    name: name as string,
    ...(receiver === undefined ? {} : { receiver: readType(receiver) }),
    params: splitParams(params as string).map(readType),
    result: readType(result as string),
    signature,
    about,
    ...(run === undefined ? {} : { run }),
  };
}

function splitParams(text: string): readonly string[] {
  return text === '' ? [] : text.split(/, (?![^<]*>)/);
}

/** The overload as it is called, for a hint: `substring(int, int)`. */
export function callText({ name, params }: FunctionForm): string {
  return `${name}(${params.map(showType).join(', ')})`;
}
