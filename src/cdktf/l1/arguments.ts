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

/** The given values by their Terraform names; values that were not given are left out. */
export function argumentsOf(shape: BodyShape, given: object): Terms {
  return termsOf(shape, given, wordForJson);
}

/** The same for a stack in HCL, where each value states its type. */
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

/** One block or several. Values that are not plain objects, such as tokens or dynamic blocks, are used unchanged. */
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
