import { type PlansIndex, plansIndexPieces } from '../../accounts/plans/plans-index.ts';
import { printableJson } from '../../core/lib/printable-json.ts';
import { defaultMarkdownLimit } from '../../output/review/markdown-budget.ts';
import { paintPlansMarkdown } from '../../output/review/plans-markdown.ts';
import type { PlansReview } from '../../output/review/plans-review.ts';
import { toPlansRows } from '../../output/review/plans-rows.ts';
import { paintPlans } from '../../output/review/plans-text.ts';
import type { Context } from '../shell/context.ts';
import type { ReviewFlags } from './print-review.ts';

/** The review of the plans of many accounts on stdout, in the requested format. JSON is their index. */
export async function printPlans(
  review: PlansReview,
  context: Context,
  flags: ReviewFlags,
  index: () => PlansIndex,
): Promise<void> {
  const rows = toPlansRows(review);
  const { print, settings, io } = context;
  const { markdownLimit: limit = defaultMarkdownLimit, summary = false } = flags;
  switch (settings.format) {
    case 'json':
      for (const piece of plansIndexPieces(index())) print(printableJson(piece));
      return;
    case 'markdown':
      return print(paintPlansMarkdown(rows, { limit, summary }));
    case 'html': {
      const { paintPlansHtml } = await import('../../output/page/plans-html.ts');
      return print(paintPlansHtml(rows));
    }
    case 'gitlab': {
      const { changed_hosts, summary: sums } = review.totals;
      return context.printJson({ create: 0, update: changed_hosts, delete: sums.delete });
    }
    case 'text':
      return print(paintPlans(rows, { color: settings.outColor, columns: io.stdout.columns, summary }));
    case 'csv':
    case 'ndjson':
    case 'yaml':
    case 'hcl':
    case 'cdktf':
      throw new Error('plans do not support this format');
  }
}
