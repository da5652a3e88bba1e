import { bound, type CelType, fits, readType, showType } from '../checker/cel-type.ts';
import { spendOnSearch } from '../running/running.ts';
import { conversions } from './conversions.ts';
import type { FunctionBody, FunctionSource } from './function-source.ts';
import { sizeOf, stringFunctions } from './string-functions.ts';

/** One form of a function: which types it takes and gives. */
export interface FunctionForm {
  readonly name: string;
  /** The type of what stands before the point; absent where nothing does. */
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
    about: 'is the text in it?',
    run: (text: string, part: string) => {
      spendOnSearch(text, part);
      return text.includes(part);
    },
  },
  { signature: 'string.startsWith(string): bool', about: 'does it begin with the text?' },
  { signature: 'string.endsWith(string): bool', about: 'does it end with the text?' },
  { signature: 'string.size(): int', about: 'how many characters it has', run: sizeOf },
  { signature: 'list<A>.size(): int', about: 'how many items it has' },
  { signature: 'map<A, B>.size(): int', about: 'how many entries it has' },
  { signature: 'size(string): int', about: 'how many characters it has', run: sizeOf },
  { signature: 'size(list<A>): int', about: 'how many items it has' },
  { signature: 'size(map<A, B>): int', about: 'how many entries it has' },
];

export const functionForms: readonly FunctionForm[] = [
  ...stringFunctions,
  ...ofTheLanguage,
  ...conversions,
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

/** The type that a call gives, or undefined where the form does not fit it. */
export function resultOf(form: FunctionForm, args: readonly CelType[]): CelType | undefined {
  const wanted = form.receiver === undefined ? form.params : [form.receiver, ...form.params];
  if (wanted.length !== args.length) return undefined;
  const bindings = new Map<string, CelType>();
  const all = wanted.every((type, index) => fits(type, args[index] as CelType, bindings));
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

/** How the form is called, for a hint: `substring(int, int)`. */
export function callText({ name, params }: FunctionForm): string {
  return `${name}(${params.map(showType).join(', ')})`;
}
