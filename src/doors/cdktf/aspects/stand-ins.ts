import { readSaid, type Said } from './said.ts';

/** A text that can be read before Terraform runs: a number replaces each expression in it. */
export interface StoodIn {
  readonly text: string;
  /** A part of the text with its original expressions. */
  readonly said: (part: string) => Said;
}

/** Host ids have 64 bits; no service has assigned one this high. */
const base = 9_223_372_036_800_000_000n;
const standIn = /92233720368\d{8}/g;
const expression = /(?<!\$)\$\{[^{}]*\}/g;

/** Undefined if Terraform would insert more than simple expressions. */
export function standInsFor(source: string): StoodIn | undefined {
  const expressions: string[] = [];
  const replaced = source.replaceAll(expression, (found) =>
    String(base + BigInt(expressions.push(found) - 1)),
  );
  const read = readSaid(replaced);
  if (read?.kind !== 'known' || source.search(standIn) !== -1) return undefined;
  const said = (part: string): Said => {
    const whole = part.replaceAll(standIn, (number) => expressions[Number(BigInt(number) - base)] ?? number);
    return whole === part ? { kind: 'known', text: part } : { kind: 'later', expression: whole };
  };
  return { text: read.text, said };
}
