/** The most characters of one text in a report. */
const mostCharacters = 500;

/** Bounds a text from outside, so that no message makes a report large. A character is never cut in two. */
export function cutText(text: string): string {
  if (text.length <= mostCharacters) return text;
  const end = text.charCodeAt(mostCharacters - 2);
  const isSplit = end >= 0xd800 && end < 0xdc00;
  return `${text.slice(0, mostCharacters - (isSplit ? 2 : 1))}…`;
}
