const shown = 80;

/** A text from outside in quotation marks, for a message: cut short where it is very long. */
export function quoted(text: string): string {
  if (text.length <= shown) return `"${text}"`;
  const unit = text.charCodeAt(shown - 1);
  const end = unit >= 0xd800 && unit <= 0xdbff ? shown - 1 : shown;
  return `"${text.slice(0, end)}…"`;
}
