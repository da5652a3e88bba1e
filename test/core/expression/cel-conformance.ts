import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';

/** One case of the conformance tests of CEL, as JSON of `cel.expr.conformance.test.SimpleTest`. */
export interface ConformanceCase {
  readonly section: string;
  readonly name: string;
  readonly source: string;
  readonly bindings: Readonly<Record<string, unknown>>;
  /** In the form of `showValue`; `error` if there is no value. */
  readonly expected: string;
}

export interface CelLibrary {
  readonly name: string;
  /** Throws, or gives the value in the form of `showValue`. */
  evaluate(test: ConformanceCase): string;
  uint(value: bigint): unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Cases that need protocol buffers, enumerations or optional values are left out: hosts have none. */
export function conformanceCases(library: Pick<CelLibrary, 'uint'>): readonly ConformanceCase[] {
  return (tests.suites ?? []).flatMap(({ name: section, suites }) =>
    (suites ?? []).flatMap((suite) =>
      (suite.tests ?? []).flatMap(({ original }) => toCase(section, original, library) ?? []),
    ),
  );
}

/** Types and values so that equal texts are equal values of one type. */
export function showValue(value: unknown): string {
  if (typeof value === 'bigint') return `int ${value}`;
  if (typeof value === 'number') return `double ${Object.is(value, -0) ? '-0' : value}`;
  if (value instanceof Uint8Array) return `bytes ${[...value].join(' ')}`;
  if (Array.isArray(value)) return `[${value.map(showValue).join(', ')}]`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, each]) => `${showValue(key)}: ${showValue(each)}`);
    return `{${entries.toSorted().join(', ')}}`;
  }
  if (value instanceof Shown) return value.toJSON();
  return JSON.stringify(value) ?? 'nothing';
}

export function showUint(value: bigint): string {
  return `uint ${value}`;
}

function toCase(section: string, json: Json, library: Pick<CelLibrary, 'uint'>): ConformanceCase | undefined {
  const source = String(json['expr']);
  const text = JSON.stringify(json);
  const foreign =
    /TestAllTypes|google\.protobuf|objectValue|enumValue|typeValue|"container"|optional|\.\?|\[\?/;
  if (foreign.test(text) || json['checkOnly'] === true || 'typedResult' in json) return undefined;
  const bindings = Object.entries((json['bindings'] ?? {}) as Record<string, Json>).map(([name, bound]) => [
    name,
    decode(bound['value'] as Json, library),
  ]);
  const expected =
    'evalError' in json
      ? 'error'
      : 'value' in json
        ? showValue(decode(json['value'] as Json, { uint: (value) => new Shown(showUint(value)) }))
        : 'true';
  return { section, name: String(json['name']), source, bindings: Object.fromEntries(bindings), expected };
}

/** A value that is already in the form of `showValue`. */
class Shown {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toJSON(): string {
    return this.#text;
  }
}

function decode(value: Json, library: Pick<CelLibrary, 'uint'>): unknown {
  const [kind, content] = Object.entries(value)[0] ?? ['nullValue', null];
  switch (kind) {
    case 'int64Value':
      return BigInt(String(content));
    case 'uint64Value':
      return library.uint(BigInt(String(content)));
    case 'doubleValue':
      return Number(content);
    case 'bytesValue':
      return Uint8Array.from(Buffer.from(String(content), 'base64'));
    case 'listValue':
      return (((content as Json)['values'] ?? []) as Json[]).map((each) => decode(each, library));
    case 'mapValue':
      return new Map(
        (((content as Json)['entries'] ?? []) as Json[]).map((entry) => [
          decode(entry['key'] as Json, library),
          decode(entry['value'] as Json, library),
        ]),
      );
    case 'nullValue':
      return null;
    default:
      return content;
  }
}
