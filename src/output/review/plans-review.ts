import { z } from 'zod';
import { accountReportSchema } from './account-report.ts';

const count = z.int().nonnegative();

const totals = z.strictObject({
  accounts: count,
  outcomes: z.strictObject({ failed: count, refused: count, changes: count, 'no-changes': count }),
  hosts: count,
  summary: accountReportSchema.shape.plan.unwrap().shape.summary,
  changed_hosts: count,
  blocked: count,
  calls: z.strictObject({ planned: count, minimum: count }),
  problems: z.strictObject({ error: count, warning: count, note: count }),
});
export type PlansTotals = z.infer<typeof totals>;

export const plansReviewSchema = z.strictObject({
  created_at: z.iso.datetime({ offset: true }),
  selector: z.strictObject({
    names: z.array(z.string()),
    where: z.string().nullable().describe('The expression over labels. Null if there was none.'),
  }),
  interrupted: z
    .boolean()
    .describe('True if a signal stopped planning; accounts without a plan are "failed".'),
  exit_code: count.describe('The exit code over all accounts.'),
  accounts: z
    .array(accountReportSchema)
    .describe('In the natural order of their names: account-2 comes before account-10.'),
  totals: totals.describe('The sums over all accounts.'),
});

/** The plans of many accounts as one review. */
export type PlansReview = z.infer<typeof plansReviewSchema>;
