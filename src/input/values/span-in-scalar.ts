import type { ScalarNode, SourceText, Span } from '../sources/source-text.ts';

/**
 * The span in the file of a part of a scalar's value. `part` has offsets in the value, which the file may fold over
 * lines, indent and escape. If the two can't be aligned (`\u0041`, an alias), returns the whole scalar.
 */
export function spanInScalar(source: SourceText, scalar: ScalarNode, part: Span): Span {
  const offsets = offsetsOf(source.text.slice(scalar.start, scalar.end), scalar.text);
  if (offsets === undefined) return scalar;
  const at = (offset: number) => offsets[Math.max(0, Math.min(offset, scalar.text.length))] as number;
  const start = scalar.start + at(part.start);
  const end = part.end > part.start ? scalar.start + at(part.end - 1) + 1 : start + 1;
  return { start, end: Math.max(start + 1, end) };
}

/** For each character of the value, and for its end, the offset in the written text. */
function offsetsOf(raw: string, value: string): readonly number[] | undefined {
  const quote = raw[0] === '"' || raw[0] === "'" ? raw[0] : undefined;
  const isBlock = raw[0] === '|' || raw[0] === '>';
  let at = isBlock ? raw.indexOf('\n') + 1 : quote === undefined ? 0 : 1;
  const offsets: number[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const unit = value[index] as string;
    if (isBlank(unit)) {
      offsets.push(at);
      at += widthOfBlank(raw, at, unit);
      continue;
    }
    while (isBlank(raw[at])) at += 1;
    if (isEscaped(raw, at, quote)) at += 1;
    if (raw[at] !== unit) return undefined;
    offsets.push(at);
    at += 1;
  }
  offsets.push(at);
  return offsets;
}

/** A line break in the file, together with the indentation after it, may be one blank in the value. */
function widthOfBlank(raw: string, at: number, unit: string): number {
  if (raw[at] === unit) return 1;
  return raw[at] === '\n' || raw[at] === '\r' ? (/^\s*/.exec(raw.slice(at))?.[0].length ?? 0) : 0;
}

function isEscaped(raw: string, at: number, quote: '"' | "'" | undefined): boolean {
  if (quote === "'") return raw.startsWith("''", at);
  return quote === '"' && raw[at] === '\\' && /["\\/]/.test(raw[at + 1] ?? '');
}

function isBlank(unit: string | undefined): boolean {
  return unit === ' ' || unit === '\n' || unit === '\t' || unit === '\r';
}
