import { z } from 'zod';
import { planRow } from './plans.ts';
import { shape, strictShape } from './resource.ts';

/** The accounts whose open plans are compared: all that the caller may see if neither field is given. */
export const comparisonRequest = strictShape('ComparisonRequest', {
  accounts: z.array(z.string().min(1).max(200)).max(5_000).optional().describe('The names of the accounts.'),
  cause: z.string().min(1).max(200).optional().describe('Only accounts that this cause concerns.'),
});

const likeAccounts = z.object({ accounts: z.array(z.string()), text: z.string() });

export type ComparisonRequest = z.infer<typeof comparisonRequest>;

/** The plans of several accounts that wait or are approved, by account, and what distinguishes them. */
export const comparedPlans = shape('PlansComparison', {
  plans: z.array(planRow),
  /** The changes that most of the plans have. Null without plans. Each account is in one row of these lists. */
  usual: likeAccounts.nullable(),
  /** What the other plans change in addition, and which of the usual changes they lack. */
  unusual: z.array(likeAccounts),
  /** Why the other accounts have no such plan. */
  without_plan: z.array(likeAccounts),
  /** How many accounts the lists leave out: each has at most 50 rows. */
  more: z.object({ unusual: z.int(), without_plan: z.int() }),
});
export type PlansComparison = z.infer<typeof comparedPlans>;
