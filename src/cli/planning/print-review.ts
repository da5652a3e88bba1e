import { printableJson } from '../../core/lib/printable.ts';
import { planPieces, readPlan } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import type { Result } from '../../core/problem/problem.ts';
import { pageOrigin, reviewLinks } from '../../forge/review-links.ts';
import { gitlabReport } from '../../output/review/gitlab-report.ts';
import { paintMarkdown } from '../../output/review/markdown.ts';
import { defaultMarkdownLimit } from '../../output/review/markdown-budget.ts';
import { toRows } from '../../output/review/rows.ts';
import { paintPlan } from '../../output/review/terminal.ts';
import { textStyle } from '../listing/print-listing.ts';
import { type Context, readTextFile, writeWhole } from '../shell/context.ts';
import type { Format } from '../shell/settings.ts';

export async function loadPlan(context: Context, file: string): Promise<Result<Plan>> {
  const text = await readTextFile(context.path(file), file);
  return text.ok ? readPlan(text.value, file) : text;
}

/** Writes a plan to the file that `--out` names. */
export function savePlan(context: Context, plan: Plan, out: string): Promise<Result<null>> {
  return writeWhole(context.path(out), out, planPieces(plan));
}

export interface ReviewFlags {
  /** The maximum number of characters in the Markdown. */
  readonly markdownLimit?: number;
  /** Only the totals and what needs judgment, without the tables of hosts. */
  readonly summary?: true;
}

/** The plan for a reader, on stdout. */
export function printReview(
  plan: Plan,
  context: Context,
  { summary = false }: { readonly summary?: boolean } = {},
): void {
  context.print(paintPlan(toRows(plan), { ...textStyle(context), summary }));
}

type PaintPlan = (plan: Plan, context: Context, flags: ReviewFlags) => void | Promise<void>;

/** Null: no plan has this format, and the command line refuses it. A new format must say here what it prints. */
const paintPlanAs: Readonly<Record<Format, PaintPlan | null>> = {
  text: printReview,
  json(plan, { print }) {
    for (const piece of planPieces(plan)) print(printableJson(piece));
  },
  markdown(plan, { print, io }, { markdownLimit: limit = defaultMarkdownLimit, summary = false }) {
    print(paintMarkdown(toRows(plan), { limit, summary, ...reviewLinks(io.env, io.cwd) }));
  },
  async html(plan, { print, io }) {
    const { paintHtml } = await import('../../output/page/html.ts');
    print(paintHtml(toRows(plan), pageOrigin(io.env)));
  },
  gitlab: (plan, { printJson }) => printJson(gitlabReport(plan)),
  csv: null,
  ndjson: null,
  yaml: null,
  hcl: null,
  cdktf: null,
};

/** The plan on stdout, in the requested format. */
export async function printInFormat(plan: Plan, context: Context, flags: ReviewFlags): Promise<void> {
  const paint = paintPlanAs[context.settings.format];
  if (paint === null) throw new Error('a plan does not support this format');
  await paint(plan, context, flags);
}
