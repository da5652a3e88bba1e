import { createRedaction, type Redaction } from '../cli/redaction.ts';

/** So many characters in a row are no accident. */
const width = 16;

/**
 * A redaction that finds parts of secrets, too: a message may show the beginning of a long word, or a line from its
 * middle.
 */
export function createPartRedaction(): Redaction {
  const whole = createRedaction();
  const parts = new Set<string>();
  return {
    hide(secrets) {
      whole.hide(secrets);
      for (const secret of secrets) {
        for (let at = 0; at + width <= secret.length; at += 1) parts.add(secret.slice(at, at + width));
      }
    },
    redact: (text) => withoutParts(whole.redact(text), parts),
  };
}

function withoutParts(text: string, parts: ReadonlySet<string>): string {
  if (parts.size === 0) return text;
  let safe = '';
  let from = 0;
  for (let at = 0; at + width <= text.length; at += 1) {
    if (!parts.has(text.slice(at, at + width))) continue;
    let end = at + width;
    while (end < text.length && parts.has(text.slice(end - width + 1, end + 1))) end += 1;
    safe += `${text.slice(from, at)}[secret]`;
    from = end;
    at = end - 1;
  }
  return safe + text.slice(from);
}
