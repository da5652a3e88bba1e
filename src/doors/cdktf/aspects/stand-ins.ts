import { readSaid, type Said } from './said.ts';

/** A text that can be read before Terraform runs: a number stands in for each expression in it. */
export interface StoodIn {
  readonly text: string;
  /** What a part of the text says, with the expressions that stood there. */
  readonly said: (part: string) => Said;
}

/** Ids of hosts have 64 bits; no service has given one so high. */
const base = 9_223_372_036_800_000_000n;
const standIn = /92233720368\d{8}/g;
const expression = /(?<!\$)\$\{[^{}]*\}/g;

/** Undefined where what Terraform would put in is more than simple expressions. */
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
