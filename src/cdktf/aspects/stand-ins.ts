import { readStackText, type StackText } from './stack-text.ts';

/** A text that can be read before Terraform runs: a number replaces each expression in it. */
export interface TextWithStandIns {
  readonly text: string;
  /** A part of the text with its original expressions. */
  readonly original: (part: string) => StackText;
}

/** Host ids have 64 bits; no service has assigned one this high. */
const base = 9_223_372_036_800_000_000n;
const standIn = /92233720368\d{8}/g;
const expression = /(?<!\$)\$\{[^{}]*\}/g;

/** Undefined if Terraform would insert more than simple expressions. */
export function withStandIns(source: string): TextWithStandIns | undefined {
  const expressions: string[] = [];
  const replaced = source.replaceAll(expression, (found) =>
    String(base + BigInt(expressions.push(found) - 1)),
  );
  const read = readStackText(replaced);
  if (read?.kind !== 'known' || source.search(standIn) !== -1) return undefined;
  const original = (part: string): StackText => {
    const whole = part.replaceAll(standIn, (number) => expressions[Number(BigInt(number) - base)] ?? number);
    return whole === part ? { kind: 'known', text: part } : { kind: 'later', expression: whole };
  };
  return { text: read.text, original };
}
