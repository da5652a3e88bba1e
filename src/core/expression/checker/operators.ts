import { bound, type CelType, fits, readType } from './cel-type.ts';

/** The types that operators take and return. */
const signatures: Readonly<Record<string, readonly string[]>> = {
  '_+_': [
    'int + int = int',
    'double + double = double',
    'string + string = string',
    'list<A> + list<A> = list<A>',
    'timestamp + duration = timestamp',
    'duration + timestamp = timestamp',
    'duration + duration = duration',
  ],
  '_-_': [
    'int - int = int',
    'double - double = double',
    'timestamp - timestamp = duration',
    'timestamp - duration = timestamp',
    'duration - duration = duration',
  ],
  '_*_': ['int * int = int', 'double * double = double'],
  '_/_': ['int / int = int', 'double / double = double'],
  '_%_': ['int % int = int'],
  '-_': ['int = int', 'double = double'],
  '!_': ['bool = bool'],
  '_&&_': ['bool && bool = bool'],
  '_||_': ['bool || bool = bool'],
  '_==_': ['A == A = bool', 'int == double = bool', 'double == int = bool'],
  '_!=_': ['A != A = bool', 'int != double = bool', 'double != int = bool'],
  '@in': ['A in list<A> = bool', 'A in map<A, B> = bool'],
  '_?_:_': ['bool ? A : A = A'],
  '_[_]': ['list<A> [ int = A', 'map<A, B> [ A = B'],
  ...Object.fromEntries(['<', '<=', '>', '>='].map((sign) => [`_${sign}_`, ordered(sign)])),
};

function ordered(sign: string): readonly string[] {
  const alike = ['int', 'double', 'string', 'timestamp', 'duration'].map((type) => [type, type]);
  const pairs = [...alike, ['int', 'double'], ['double', 'int']];
  return pairs.map(([left, right]) => `${left} ${sign} ${right} = bool`);
}

interface OperatorForm {
  readonly params: readonly CelType[];
  readonly result: CelType;
}

const forms: ReadonlyMap<string, readonly OperatorForm[]> = new Map(
  Object.entries(signatures).map(([name, texts]) => [name, texts.map(readForm)]),
);

export function isOperator(name: string): boolean {
  return forms.has(name);
}

/** The result type of an operator, or undefined if it does not take these types. */
export function resultOfOperator(name: string, args: readonly CelType[]): CelType | undefined {
  for (const { params, result } of forms.get(name) ?? []) {
    const bindings = new Map<string, CelType>();
    if (params.every((type, index) => fits(type, args[index] as CelType, bindings))) {
      return bound(result, bindings);
    }
  }
  return undefined;
}

/** The operator as it is written in the source: `+` for `_+_`. */
export function signOf(name: string): string {
  return { '_?_:_': '? :', '_[_]': '[ ]', '@in': 'in' }[name] ?? name.replaceAll('_', '');
}

function readForm(text: string): OperatorForm {
  const [left, result] = text.split(/ = (?=[^=]+$)/) as [string, string];
  const params = left.split(/ (?:[-+*/%?:[]|&&|\|\||[=!<>]=|[<>]|in) /);
  return { params: params.map(readType), result: readType(result) };
}
