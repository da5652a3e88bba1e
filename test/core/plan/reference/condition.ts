import type { NamePart, RowGiven, Test, TextFact } from './planning-case.ts';

/** What the expressions of a rule read of a host. A fact that is absent is unknown. */
export interface HostFacts {
  readonly name?: string | undefined;
  readonly group: string;
  readonly online: boolean;
  /** How long the host has been online or offline. */
  readonly days?: number | undefined;
  readonly installed?: boolean | undefined;
  readonly row?: RowGiven | undefined;
}

/** `fault`: it has no value. `unknown`: it has none because a fact is unknown. */
export type Truth = boolean | 'fault' | 'unknown';

/** The value of a test. If it is not strict, an unknown fact of the host itself reads as empty. */
export function truthOf(test: Test, facts: HostFacts, isStrict: boolean): Truth {
  const text = (of: TextFact) => textOf(of, facts) ?? (isStrict || isCell(of) ? undefined : '');
  switch (test.kind) {
    case 'is':
    case 'startsWith': {
      const found = text(test.of);
      if (found === undefined) return 'unknown';
      return test.kind === 'is' ? found === test.text : found.startsWith(test.text);
    }
    case 'flag':
      return test.of === 'online' ? facts.online : (facts.installed ?? (isStrict ? 'unknown' : false));
    case 'aged':
      return facts.days === undefined ? 'unknown' : facts.days > test.days;
    case 'has':
      return (textOf(test.of, facts) ?? '') !== '';
    case 'fragile': {
      const found = text('name');
      if (found === undefined) return 'unknown';
      return size(found) === test.length ? 'fault' : Math.abs(size(found) - test.length) > 1;
    }
    case 'not': {
      const of = truthOf(test.of, facts, isStrict);
      return typeof of === 'boolean' ? !of : of;
    }
    case 'and':
    case 'or': {
      const sides = [truthOf(test.left, facts, isStrict), truthOf(test.right, facts, isStrict)];
      const decisive = test.kind === 'or';
      if (sides.includes(decisive)) return decisive;
      if (sides.includes('fault')) return 'fault';
      return sides.includes('unknown') ? 'unknown' : !decisive;
    }
  }
}

/** The new name, or the fact that is unknown. */
export function nameOf(
  parts: readonly NamePart[],
  facts: HostFacts,
): { name: string } | { unknown: TextFact } {
  let name = '';
  for (const part of parts) {
    const text = 'text' in part ? part.text : textOf(part.of, facts);
    if (text === undefined) return { unknown: (part as { of: TextFact }).of };
    name += text;
  }
  return { name };
}

/** Can the test have no fault for any host? Rampart evaluates such tests first. */
export function isSafe(test: Test): boolean {
  switch (test.kind) {
    case 'is':
    case 'startsWith':
      return !isCell(test.of);
    case 'flag':
      return true;
    case 'has':
    case 'aged':
    case 'fragile':
      return false;
    case 'not':
      return isSafe(test.of);
    case 'and':
    case 'or':
      return isSafe(test.left) && isSafe(test.right);
  }
}

/** The parts that must all hold. */
export function conjunctsOf(test: Test): readonly Test[] {
  return test.kind === 'and' ? [...conjunctsOf(test.left), ...conjunctsOf(test.right)] : [test];
}

export function isCell(of: TextFact): of is 'tag' | 'site' {
  return of === 'tag' || of === 'site';
}

function textOf(of: TextFact, facts: HostFacts): string | undefined {
  return isCell(of) ? facts.row?.[of] : facts[of];
}

function size(text: string): number {
  return Array.from(text).length;
}
