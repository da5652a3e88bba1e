import {
  type BlockShape,
  type BodyShape,
  camel,
  isArgument,
  type PlainShape,
  type ValueType,
} from './shape.ts';

type Terms = Record<string, unknown>;
type Part = PlainShape | BlockShape;
type Wording = (part: Part, value: unknown) => unknown;

/** What was given, by the names that Terraform has for it; what was not given is left out. */
export function argumentsOf(shape: BodyShape, given: object): Terms {
  return termsOf(shape, given, wordForJson);
}

/** The same for a stack in Terraform's own language, where each value says what it is. */
export function hclArgumentsOf(shape: BodyShape, given: object): Terms {
  return termsOf(shape, given, wordForHcl);
}

function termsOf(shape: BodyShape, given: object, word: Wording): Terms {
  const parts: readonly (readonly [string, Part])[] = [
    ...Object.entries(shape.attributes ?? {}).flatMap(([name, each]) =>
      isArgument(each) ? [[name, each] as const] : [],
    ),
    ...Object.entries(shape.blocks ?? {}),
  ];
  const values = given as Readonly<Terms>;
  const terms = parts.flatMap(([name, part]) => {
    const value = values[camel(name)];
    return value === undefined ? [] : [[name, word(part, value)] as const];
  });
  return Object.fromEntries(terms);
}

function wordForJson(part: Part, value: unknown): unknown {
  return 'type' in part ? value : bodiesOf(part, value, wordForJson);
}

function wordForHcl(part: Part, value: unknown): unknown {
  if ('type' in part) return { value, ...hclType(part.type) };
  return {
    value: bodiesOf(part, value, wordForHcl),
    isBlock: true,
    type: Array.isArray(value) ? 'list' : 'struct',
  };
}

/** One block or several. What is no plain object, such as a token or a dynamic block, speaks for itself. */
function bodiesOf(block: BlockShape, value: unknown, word: Wording): unknown {
  if (Array.isArray(value)) return value.map((each) => bodiesOf(block, each, word));
  return isPlain(value) ? termsOf(block, value, word) : value;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function hclType(type: ValueType) {
  if (typeof type === 'string')
    return { type: 'simple', storageClassType: type === 'bool' ? 'boolean' : type };
  if ('map' in type) return { type: 'map' };
  return { type: 'list', storageClassType: 'stringList' };
}
