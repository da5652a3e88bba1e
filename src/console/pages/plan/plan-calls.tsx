import type { ComponentChildren } from 'preact';
import type { PlanDetail } from '../../../api/plans.ts';
import { pageOf } from '../../browser/address.ts';
import { Facts, Section } from '../../parts/page.tsx';
import { counted, figure, listed } from '../../words/numbers.ts';
import { durationRange } from '../../words/times.ts';
import { changeWords } from './change-words.ts';

/** What applying costs, and what differs from the plan before. */
export function PlanCalls({ plan }: { readonly plan: PlanDetail }) {
  const facts: (readonly [string, ComponentChildren])[] = [
    ['Calls', <Calls key="calls" plan={plan} />],
    [
      'Time',
      plan.seconds === null ? <span class="dim">no rate known yet</span> : durationRange(plan.seconds),
    ],
    ['Previous plan', <Difference key="difference" difference={plan.difference} />],
  ];
  return (
    <Section title="Calls and time">
      <Facts facts={facts} />
    </Section>
  );
}

function Calls({
  plan: { calls, calls_by_kind: kinds = [], minimum_calls: least },
}: {
  readonly plan: PlanDetail;
}) {
  const parts = kinds
    .filter((each) => each.calls > 0)
    .map((each) => counted(each.calls, changeWords[each.kind].noun, changeWords[each.kind].nouns));
  const minimum =
    least === undefined
      ? ''
      : least === calls
        ? ' (the minimum possible)'
        : ` (the minimum is ${figure(least)})`;
  return (
    <>
      {counted(calls, 'API call')}
      {minimum}
      {parts.length === 0 ? null : <span class="dim">: {listed(parts)}</span>}
    </>
  );
}

function Difference({ difference }: { readonly difference: PlanDetail['difference'] }) {
  if (difference === null) return <span class="dim">none</span>;
  const { previous, added, removed, same } = difference;
  return (
    <>
      {listed([`${figure(added)} added`, `${figure(removed)} removed`, `${figure(same)} the same`])}, compared
      with{' '}
      <a class="underlined" href={pageOf.plan(previous)}>
        the plan before
      </a>
    </>
  );
}
