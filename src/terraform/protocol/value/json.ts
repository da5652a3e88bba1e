import { Decimal, type Numeric, numericFromText, textOfNumeric } from './numeric.ts';

/** JSON whose numbers are exact at any size. */
export type Json = null | boolean | string | Numeric | readonly Json[] | { readonly [name: string]: Json };

interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): Json;
  rawJSON(text: string): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Throws a SyntaxError. */
export function parseJson(text: string): Json {
  return exact.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined ? numericFromText(context.source) : value,
  );
}

export function formatJson(value: Json): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' || each instanceof Decimal ? exact.rawJSON(textOfNumeric(each)) : each,
  );
}
