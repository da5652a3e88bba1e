import { htmlCode, markdownCode } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { fileAndLine } from '../../core/problem/problem.ts';
import type { AccountReport, ReportedChange } from './account-report.ts';
import { nameOrDash } from './markdown-tables.ts';
import type { PlansRows } from './plans-rows.ts';
import { planWords } from './plans-words.ts';

/** The plans of single accounts in a limited room. */
export interface AccountPlans {
  /** The length of the whole review about them, in characters. */
  readonly wanted: number;
  /** As much as fits: every account gets the same room, and unused room goes to the others. */
  fit(room: number): string;
}

/** An account is shown with at least this many changes, or not at all. */
const fewestRows = 3;
const heading = '### Plans by account\n\n';
const tableHead = '| host | change | id | requested by |\n| --- | --- | --- | --- |';

/** The renames and moves of each account. What can't be undone has its own part. */
export function accountPlans({ groups }: PlansRows): AccountPlans {
  const plans = groups
    .flatMap(({ accounts }) => accounts)
    .filter(({ plan }) => (plan?.changes.count ?? 0) > 0)
    .map(toFold);
  const whole = plans.reduce((sum, { length, most }) => sum + length(most) + 1, heading.length);
  return {
    wanted: plans.length === 0 ? 0 : whole,
    fit(room) {
      const note = (left: number) =>
        left === 0
          ? ''
          : `\n**${count(left, 'more account')} with renames or moves**: see the plan files (\`rampart show\`).\n`;
      let spare = room - heading.length - (whole <= room ? 0 : note(plans.length).length);
      const admitted: Fold[] = [];
      for (const plan of plans) {
        const least = plan.length(Math.min(fewestRows, plan.most)) + 1;
        if (least > spare) break;
        spare -= least;
        admitted.push(plan);
      }
      if (admitted.length === 0) return note(plans.length).length > room ? '' : note(plans.length);
      const rows = new Map<Fold, number>();
      const inNeed = admitted.toSorted((a, b) => a.length(a.most) - b.length(b.most));
      for (const [done, plan] of inNeed.entries()) {
        const least = plan.length(Math.min(fewestRows, plan.most));
        const fitting = plan.rowsIn(least + Math.floor(spare / (inNeed.length - done)));
        rows.set(plan, fitting);
        spare -= plan.length(fitting) - least;
      }
      const texts = admitted.map((plan) => `${plan.text(rows.get(plan) ?? 0)}\n`);
      return `${heading}${texts.join('')}${note(plans.length - admitted.length)}`;
    },
  };
}

/** The plan of one account that folds. */
interface Fold {
  /** The number of rows that the review has. */
  readonly most: number;
  text(rows: number): string;
  length(rows: number): number;
  /** The most rows that fit. */
  rowsIn(room: number): number;
}

function toFold({ account, plan }: AccountReport): Fold {
  const { count: all = 0, first = [] } = plan?.changes ?? {};
  const words = plan === undefined ? '' : planWords(plan);
  const open = `<details>\n<summary>${htmlCode(account.name)}: ${words}</summary>\n\n${tableHead}\n`;
  const lines = first.map((change) => `${rowOf(change)}\n`);
  const close = (rows: number) =>
    rows === all
      ? '\n</details>'
      : `\n**${count(all - rows, 'more change')}**: see the plan file (\`rampart show\`).\n\n</details>`;
  const ends = lines.reduce<number[]>((sums, line) => [...sums, (sums.at(-1) ?? 0) + line.length], [0]);
  const length = (rows: number) => open.length + (ends[rows] ?? 0) + close(rows).length;
  return {
    most: lines.length,
    text: (rows) => `${open}${lines.slice(0, rows).join('')}${close(rows)}`,
    length,
    rowsIn(room) {
      let rows = 0;
      for (let each = 1; each <= lines.length; each += 1) if (length(each) <= room) rows = each;
      return rows;
    },
  };
}

function rowOf({ kind, name, to = null, host_id, reason }: ReportedChange): string {
  const change =
    kind === 'rename'
      ? `rename to ${nameOrDash(to)}`
      : to === null
        ? 'move to no group'
        : `move to ${nameOrDash(to)}`;
  const by = reason.rule === undefined ? '' : `rule ${markdownCode(reason.rule)}, `;
  return `| ${nameOrDash(name)} | ${change} | ${host_id} | ${by}${markdownCode(fileAndLine(reason))} |`;
}
