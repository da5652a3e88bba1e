import type { Plan } from '../plan/plan.ts';
import { toRows } from '../review/rows.ts';
import { paintPlan } from '../review/terminal.ts';
import type { Context } from './context.ts';

/** The plan for a reader, on stdout. */
export function printReview(plan: Plan, { print, settings, io }: Context): void {
  print(paintPlan(toRows(plan), { colour: settings.outColour, columns: io.stdout.columns }));
}
