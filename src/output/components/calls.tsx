import type { ComponentChildren } from 'preact';
import { listed } from '../../core/lib/words.ts';
import { changeWords } from './change-words.ts';
import { durationRange } from './durations.ts';
import { counted, figure } from './numbers.ts';
import type { CallCosts } from './plan-totals.ts';
import { FactList, Section } from './section.tsx';

/** The calls of a plan and their time, and what else the page knows about them. */
export function Calls({
  costs,
  rest,
}: {
  readonly costs: CallCosts;
  readonly rest: readonly (readonly [string, ComponentChildren])[];
}) {
  const { calls, calls_by_kind: kinds, minimum_calls: least, seconds } = costs;
  const parts = kinds
    .filter((each) => each.calls > 0)
    .map((each) => counted(each.calls, changeWords[each.kind].noun, changeWords[each.kind].nouns));
  const minimum = least === calls ? 'the minimum possible' : `the minimum is ${figure(least)}`;
  const words = (
    <>
      {counted(calls, 'API call')} ({minimum})
      {parts.length === 0 ? null : <span class="dim">: {listed(parts)}</span>}
    </>
  );
  const time = seconds === null ? <span class="dim">no measured rate yet</span> : durationRange(seconds);
  return (
    <Section id="calls" title="Calls and time">
      <FactList facts={[['Calls', words], ['Time', time], ...rest]} />
    </Section>
  );
}
