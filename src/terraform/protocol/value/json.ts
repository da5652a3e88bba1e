import { Decimal, type Numeric, numericFromText, textOfNumeric } from './numeric.ts';

/** JSON whose numbers are exact at any size. */
export type TerraformJson =
  | null
  | boolean
  | string
  | Numeric
  | readonly TerraformJson[]
  | { readonly [name: string]: TerraformJson };

interface ExactJson {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): TerraformJson;
  rawJSON(text: string): unknown;
}

const exact = JSON as unknown as ExactJson;

/** Throws a SyntaxError. */
export function parseJson(text: string): TerraformJson {
  return exact.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined ? numericFromText(context.source) : value,
  );
}

export function formatJson(value: TerraformJson): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'bigint' || each instanceof Decimal ? exact.rawJSON(textOfNumeric(each)) : each,
  );
}
