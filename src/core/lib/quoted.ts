const shown = 80;

/** Untrusted text in quotation marks, for a message. Very long text is cut. */
export function quoted(text: string): string {
  if (text.length <= shown) return `"${text}"`;
  const unit = text.charCodeAt(shown - 1);
  const end = unit >= 0xd800 && unit <= 0xdbff ? shown - 1 : shown;
  return `"${text.slice(0, end)}…"`;
}
