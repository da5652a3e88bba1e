/** Text as a code block that its content can't close. Long text is cut to its end. */
export function fenced(text: string, limit: number): string {
  const longestRun = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  const frame = 2 * fence.length + 'text\n\n\n'.length;
  const room = Math.max(0, limit - frame - '…\n'.length);
  const body = text.trimEnd();
  const shown = body.length <= room ? body : `…\n${body.slice(body.length - room)}`;
  return `${fence}text\n${shown}\n${fence}\n`;
}
