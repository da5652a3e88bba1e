/** The most characters of one text in a report, unless a caller says otherwise. */
const mostCharacters = 500;

/** Bounds a text from outside, so that no message makes a report large. A character is never cut in two. */
export function cutText(text: string, most = mostCharacters): string {
  if (text.length <= most) return text;
  const end = text.charCodeAt(most - 2);
  const isSplit = end >= 0xd800 && end < 0xdc00;
  return `${text.slice(0, most - (isSplit ? 2 : 1))}…`;
}
