import { type PlansIndex, plansIndexPieces } from '../../accounts/plans/plans-index.ts';
import { printableJson } from '../../core/lib/printable.ts';
import { defaultMarkdownLimit } from '../../output/review/markdown-budget.ts';
import { paintPlansMarkdown } from '../../output/review/plans-markdown.ts';
import type { PlansReview } from '../../output/review/plans-review.ts';
import { toPlansRows } from '../../output/review/plans-rows.ts';
import { paintPlans } from '../../output/review/plans-text.ts';
import { textStyle } from '../listing/print-listing.ts';
import type { Context } from '../shell/context.ts';
import type { Format } from '../shell/settings.ts';
import type { ReviewFlags } from './print-review.ts';

interface Plans {
  readonly review: PlansReview;
  readonly index: () => PlansIndex;
}

type PaintPlans = (plans: Plans, context: Context, flags: ReviewFlags) => void | Promise<void>;

/** Null: no review of many accounts has this format, and the command line refuses it. */
const paintPlansAs: Readonly<Record<Format, PaintPlans | null>> = {
  text({ review }, context, { summary = false }) {
    context.print(paintPlans(toPlansRows(review), { ...textStyle(context), summary }));
  },
  json({ index }, { print }) {
    for (const piece of plansIndexPieces(index())) print(printableJson(piece));
  },
  markdown({ review }, { print }, { markdownLimit: limit = defaultMarkdownLimit, summary = false }) {
    print(paintPlansMarkdown(toPlansRows(review), { limit, summary }));
  },
  async html({ review }, { print }) {
    const { paintPlansHtml } = await import('../../output/page/plans-html.ts');
    print(paintPlansHtml(toPlansRows(review)));
  },
  gitlab({ review }, { printJson }) {
    const { changed_hosts, summary } = review.totals;
    printJson({ create: 0, update: changed_hosts, delete: summary.delete });
  },
  csv: null,
  ndjson: null,
  yaml: null,
  hcl: null,
  cdktf: null,
};

/** The review of the plans of many accounts on stdout, in the requested format. JSON is their index. */
export async function printPlans(
  review: PlansReview,
  context: Context,
  flags: ReviewFlags,
  index: () => PlansIndex,
): Promise<void> {
  const paint = paintPlansAs[context.settings.format];
  if (paint === null) throw new Error('plans do not support this format');
  await paint({ review, index }, context, flags);
}
