/** Text as a code block that its content can't close. Long text is cut: only its start or only its end is kept. */
export function fenced(text: string, limit: number, keep: 'start' | 'end' = 'end'): string {
  let longestRun = 2;
  for (const [run] of text.matchAll(/`+/g)) longestRun = Math.max(longestRun, run.length);
  const fence = '`'.repeat(longestRun + 1);
  const frame = 2 * fence.length + 'text\n\n\n'.length;
  const body = text.trimEnd();
  const room = Math.max(0, limit - frame);
  const shown = body.length <= room ? body : keep === 'end' ? endOf(body, room) : startOf(body, room);
  return `${fence}text\n${shown}\n${fence}\n`;
}

function endOf(body: string, room: number): string {
  return `…\n${body.slice(body.length - Math.max(0, room - '…\n'.length))}`;
}

/** Whole lines only, and the number of the others. */
function startOf(body: string, room: number): string {
  const most = Math.max(0, room - '… and 1000000000 more lines'.length);
  const kept = body.slice(0, body.lastIndexOf('\n', most) + 1);
  return `${kept}… and ${body.slice(kept.length).split('\n').length} more lines`;
}
