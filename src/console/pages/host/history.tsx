import type { HostDetail } from '../../../api/hosts.ts';
import { Section } from '../../../output/components/section.tsx';
import { Text } from '../../../output/components/text.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { EmptyState } from '../../parts/states.tsx';
import { TimeLine } from '../../parts/time-line.tsx';
import { outcomeMark } from '../../words/state-marks.ts';

/** What runs did to a host, the newest first, each with the way to its change. */
export function HostHistoryRows({ history }: { readonly history: HostDetail['history'] }) {
  const events = history.toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <Section title="History">
      {events.length === 0 ? (
        <EmptyState title="No run has changed this host">
          <p>Every change that a run makes appears here, with who approved it.</p>
        </EmptyState>
      ) : (
        <TimeLine
          happenings={events.map(({ at, run, text, outcome, by }) => ({
            key: `${at} ${run} ${text}`,
            at,
            text: (
              <a class="row-link" href={consoleAddress.run(run)}>
                <Text text={text} />
              </a>
            ),
            mark: outcomeMark(outcome),
            by,
          }))}
        />
      )}
    </Section>
  );
}
