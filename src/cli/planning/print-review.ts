import { printableJson } from '../../core/lib/printable-json.ts';
import { planPieces } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { pageOrigin, reviewLinks } from '../../forge/review-links.ts';
import { gitlabReport } from '../../output/review/gitlab-report.ts';
import { paintMarkdown } from '../../output/review/markdown.ts';
import { defaultMarkdownLimit } from '../../output/review/markdown-budget.ts';
import { toRows } from '../../output/review/rows.ts';
import { paintPlan } from '../../output/review/terminal.ts';
import type { Context } from '../shell/context.ts';

export interface ReviewFlags {
  /** The maximum number of characters in the Markdown. */
  readonly markdownLimit?: number;
  /** Only the totals and what needs judgment, without the tables of hosts. */
  readonly summary?: true;
}

/** The plan for a reader, on stdout. */
export function printReview(
  plan: Plan,
  { print, settings, io }: Context,
  { summary = false }: { readonly summary?: boolean } = {},
): void {
  print(paintPlan(toRows(plan), { color: settings.outColor, columns: io.stdout.columns, summary }));
}

/** The plan on stdout, in the requested format. */
export async function printInFormat(plan: Plan, context: Context, flags: ReviewFlags): Promise<void> {
  switch (context.settings.format) {
    case 'json':
      for (const piece of planPieces(plan)) context.print(printableJson(piece));
      return;
    case 'markdown': {
      const { markdownLimit: limit = defaultMarkdownLimit, summary = false } = flags;
      const links = reviewLinks(context.io.env, context.io.cwd);
      return context.print(paintMarkdown(toRows(plan), { limit, summary, ...links }));
    }
    case 'html': {
      const { paintHtml } = await import('../../output/page/html.ts');
      return context.print(paintHtml(toRows(plan), pageOrigin(context.io.env)));
    }
    case 'gitlab':
      return context.printJson(gitlabReport(plan));
    case 'text':
      return printReview(plan, context, flags);
    case 'csv':
    case 'ndjson':
    case 'yaml':
    case 'hcl':
    case 'cdktf':
      throw new Error('a plan does not support this format');
  }
}
