import { fenced } from '../output/review/fenced.ts';
import type { IssueContent } from './forge.ts';

/** The invisible first line of each of our issues. */
function issueMarker(key: string): string {
  return `<!-- rampart drift key=${key} -->\n`;
}

/** An issue in the Markdown of GitHub and GitLab, of at most this many characters. */
export function issueMarkdown(key: string, { summary, report, job }: IssueContent, limit: number): string {
  const head = `${issueMarker(key)}## Rampart drift\n\n**${summary}**\n\n`;
  const foot = job === undefined || !isPlain(job) ? '' : `\n<sub>[Run](${job})</sub>\n`;
  return head + fenced(report, limit - head.length - foot.length, 'start') + foot;
}

/** Is the text an issue of this key? A forge may change line breaks. */
export function hasIssueMarker(text: string, key: string): boolean {
  return text.replaceAll('\r', '').startsWith(issueMarker(key));
}

/** Without characters that could end the address of a link. */
function isPlain(address: string): boolean {
  return /^https?:\/\/[\w.:/%?=-]+$/.test(address);
}
