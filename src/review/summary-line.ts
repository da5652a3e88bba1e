import { isEmpty, type Plan } from '../plan/plan.ts';
import { count } from './count.ts';

/** `Plan: 12 renames (2 parks), 7 moves, 2 deletions; 31 unchanged, 1 awaiting enrolment, 9 unmanaged.` */
export function summaryLine({ summary }: Plan): string {
  const changes = [
    ...(summary.rename + summary.park === 0 ? [] : [renames(summary)]),
    ...some(summary.move, 'move'),
    ...some(summary.antivirus, 'anti-virus install'),
    ...some(summary.delete, 'deletion'),
  ];
  const rest = [
    `${summary.unchanged} unchanged`,
    ...(summary.awaitingEnrolment === 0 ? [] : [`${summary.awaitingEnrolment} awaiting enrolment`]),
    ...(summary.unmanaged === 0 ? [] : [`${summary.unmanaged} unmanaged`]),
  ];
  return `Plan: ${changes.length === 0 ? 'no changes' : changes.join(', ')}; ${rest.join(', ')}.`;
}

/** `17 calls, lower bound 17.`; undefined where nothing is to be sent. */
export function callsLine(plan: Plan): string | undefined {
  if (isEmpty(plan)) return undefined;
  return `${count(plan.calls.planned, 'call')}, lower bound ${plan.calls.lowerBound}.`;
}

function renames({ rename, park }: Plan['summary']): string {
  const parks = park === 0 ? '' : ` (${count(park, 'park')})`;
  return `${count(rename, 'rename')}${parks}`;
}

function some(number: number, noun: string): readonly string[] {
  return number === 0 ? [] : [count(number, noun)];
}
