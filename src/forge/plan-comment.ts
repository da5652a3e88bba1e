import { changesDigest, type PlansIndex } from '../accounts/plans/plans-index.ts';
import { count } from '../core/lib/words.ts';
import { planChecksum } from '../core/plan/document/plan-document.ts';
import type { Plan } from '../core/plan/types/plan.ts';
import { paintMarkdown } from '../output/review/markdown.ts';
import { paintPlansMarkdown } from '../output/review/plans-markdown.ts';
import { toPlansRows } from '../output/review/plans-rows.ts';
import { callsLine, summaryLine, toRows } from '../output/review/rows.ts';
import { type Marker, printMarker } from './marker.ts';
import type { ReviewLinks } from './review-links.ts';

export interface CommentFrame {
  readonly key: string;
  /** The head commit of the pull request, if it is known. */
  readonly head?: string;
  /** The longest body, in characters. */
  readonly limit: number;
  /** Trusted Markdown for the end, such as a link to the run. */
  readonly foot: readonly string[];
}

/** A plan as a review comment: with its marker and checksum, and never longer than the limit. */
export function planComment(
  plan: Plan,
  { key, head, limit, foot, links }: CommentFrame & { readonly links: ReviewLinks },
): string {
  const checksum = planChecksum(plan);
  const marker: Marker = plan.applicable
    ? { key, checksum, ...(head === undefined ? {} : { head }) }
    : { key };
  const last = plan.applicable ? [`Checksum \`${checksum}\``, ...foot] : foot;
  return framed(marker, last, limit, (room) => {
    const whole = paintMarkdown(toRows(plan), { limit: room, ...links });
    return whole.length <= room ? whole : shortWords(plan);
  });
}

/** The plans of several accounts as one review comment, with the checksum of their index. */
export function plansComment(
  index: PlansIndex,
  { key, head, limit, foot }: CommentFrame,
  markdown = (room: number) => paintPlansMarkdown(toPlansRows(index.review), { limit: room }),
): string {
  const { checksum } = index;
  const marker: Marker = {
    key,
    checksum,
    changes: changesDigest(index),
    ...(head === undefined ? {} : { head }),
  };
  return framed(marker, [`Checksum \`${checksum}\``, ...foot], limit, markdown);
}

/** A comment about a failure, if there is no plan. */
export function textComment(markdown: (room: number) => string, { key, limit, foot }: CommentFrame): string {
  return framed({ key }, foot, limit, markdown);
}

function framed(
  marker: Marker,
  foot: readonly string[],
  limit: number,
  markdown: (room: number) => string,
): string {
  const head = printMarker(marker);
  const end = foot.length === 0 ? '' : `\n<sub>${foot.join(' · ')}</sub>\n`;
  return `${head}${markdown(limit - head.length - end.length)}${end}`;
}

/** Errors and deletions are never left out of a review: if they do not fit, there is no review. */
function shortWords(plan: Plan): string {
  const errors = plan.problems.filter(({ severity }) => severity === 'error').length;
  const lines = [
    '## Rampart plan',
    ...(errors === 0 ? [] : [`**This plan can't be applied: ${count(errors, 'error')}.**`]),
    `**${summaryLine(plan)}**`,
    ...(callsLine(plan) === undefined ? [] : [callsLine(plan)]),
    'The errors and deletions do not fit in a comment: review the plan file (`rampart show`).',
  ];
  return `${lines.join('\n\n')}\n`;
}
