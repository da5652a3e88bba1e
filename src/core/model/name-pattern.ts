/** A pattern such as `{site}-{role}-{number}`: alternating texts and fields. */
export type NamePattern = readonly (
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly name: string }
)[];

export type PatternReading =
  | { readonly ok: true; readonly value: NamePattern }
  | { readonly ok: false; readonly fault: string };

const part = /\{([^{}]*)\}|([^{}]+)|([{}])/g;

export function readNamePattern(source: string): PatternReading {
  const pattern: NamePattern[number][] = [];
  const seen = new Set<string>();
  for (const [, field, text] of source.matchAll(part)) {
    if (text !== undefined) pattern.push({ kind: 'text', text });
    else if (field === undefined) return faulty('an unmatched brace');
    else if (!/^[A-Za-z_]\w*$/.test(field))
      return faulty('a field with an invalid name: use letters, digits and underscores, as in {site}');
    else if (seen.has(field)) return faulty(`the field {${field}} twice`);
    else if (pattern.at(-1)?.kind === 'field') return faulty('two fields without a separator between them');
    else {
      seen.add(field);
      pattern.push({ kind: 'field', name: field });
    }
  }
  return { ok: true, value: pattern };
}

function faulty(what: string): PatternReading {
  return { ok: false, fault: `the pattern has ${what}` };
}

/**
 * The fields of a name; null if the name does not match. Each field has at least one character and ends where the text
 * after it first occurs; the last field takes the rest.
 */
export function matchName(name: string, pattern: NamePattern): Readonly<Record<string, string>> | null {
  const fields = new Map<string, string>();
  let at = 0;
  for (const [index, each] of pattern.entries()) {
    if (each.kind === 'text') {
      if (!name.startsWith(each.text, at)) return null;
      at += each.text.length;
      continue;
    }
    const next = pattern[index + 1];
    const end =
      next?.kind === 'text' ? endOfField(name, next.text, at, index + 2 === pattern.length) : name.length;
    if (end <= at) return null;
    fields.set(each.name, name.slice(at, end));
    at = end;
  }
  return at === name.length ? Object.fromEntries(fields) : null;
}

/** If the text is the last part of the pattern, its last occurrence counts. */
function endOfField(name: string, text: string, at: number, isLast: boolean): number {
  return isLast ? (name.endsWith(text) ? name.length - text.length : -1) : name.indexOf(text, at + 1);
}
