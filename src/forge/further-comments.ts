import { count } from '../core/lib/words.ts';
import { printMarker } from './marker.ts';

/** A pull request gets this many comments of one plan at most, in addition to the first one. */
const most = 4;

/** What the last comment needs to count the rows that do not fit. */
const foot = 500;

/** How much text all comments have room for, if each has at most `limit` characters. */
export function roomInComments(limit: number): number {
  return (most + 1) * limit - 20 * foot;
}

/**
 * Comments with what the first one leaves out: the rows of the full text that are not in the text of the first one,
 * each below the title of its section. If no row is left out, there are none.
 */
export function furtherComments(first: string, full: string, key: string, limit: number): readonly string[] {
  const shown = new Set(first.split('\n'));
  const pages: string[] = [];
  const counts: string[] = [];
  let written: Context | undefined;
  let left = 0;
  for (const [line, context] of rowsIn(full)) {
    if (shown.has(line)) continue;
    const more = `${contextText(context, written)}${line}\n`;
    const last = pages.at(-1);
    if (last !== undefined && last.length + more.length <= limit - foot)
      pages[pages.length - 1] = last + more;
    else if (pages.length < most) {
      const head = `${printMarker({ key, part: pages.length + 2 })}## Rampart plan, continued\n`;
      pages.push(`${head}${contextText(context, undefined)}${line}\n`);
    } else if (line.startsWith('**')) counts.push(line);
    else left += 1;
    written = context;
  }
  const end = [
    ...(left === 0 ? [] : [`**${count(left, 'more row')}**: see the plan file (\`rampart show\`).`]),
    ...counts,
  ];
  return end.length === 0 ? pages : [...pages.slice(0, -1), `${pages.at(-1)}\n${end.join('\n\n')}\n`];
}

/** The position of a row. */
interface Context {
  readonly title: string;
  readonly summary: string;
  readonly table: string;
}

/** The rows of tables and lists, and the counts of those that even the full text leaves out. */
function* rowsIn(full: string): Generator<readonly [string, Context]> {
  let context: Context = { title: '', summary: '', table: '' };
  const lines = full.split('\n');
  for (const [index, line] of lines.entries()) {
    const below = lines[index + 1] ?? '';
    if (line.startsWith('### ')) context = { title: line, summary: '', table: '' };
    else if (line.startsWith('<summary>'))
      context = { ...context, summary: line.replaceAll(/<\/?summary>/g, '**'), table: '' };
    else if (line === '</details>') context = { ...context, summary: '', table: '' };
    else if (/^\| -{3} /.test(below)) context = { ...context, table: `${line}\n${below}\n` };
    else if (line === '') context = { ...context, table: '' };
    else if (!/^\| -{3} /.test(line) && /^(?:\| |- |\*\*[\d,]+ more )/.test(line)) yield [line, context];
  }
}

function contextText(context: Context, written: Context | undefined): string {
  const { title, summary, table } = context;
  if (
    written !== undefined &&
    written.title === title &&
    written.summary === summary &&
    written.table === table
  )
    return '';
  const isNewTitle = title !== '' && title !== written?.title;
  const isNewSummary = summary !== '' && (isNewTitle || summary !== written?.summary);
  return `\n${isNewTitle ? `${title}\n\n` : ''}${isNewSummary ? `${summary}\n\n` : ''}${table}`;
}
