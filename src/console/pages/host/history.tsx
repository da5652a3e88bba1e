import type { HostDetail } from '../../../api/hosts.ts';
import { Section } from '../../../output/components/section.tsx';
import { Name, Text } from '../../../output/components/text.tsx';
import { pageOf } from '../../browser/address.ts';
import { StateMark } from '../../parts/mark.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { outcomeMark } from '../../words/state-marks.ts';

/** What runs did to a host, the newest first, as a time line. */
export function History({ history }: { readonly history: HostDetail['history'] }) {
  const events = history.toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <Section title="History">
      {events.length === 0 ? (
        <EmptyState title="No run has changed this host">
          <p>Every change that a run makes appears here, with who approved it.</p>
        </EmptyState>
      ) : (
        <ol class="time-line">
          {events.map((event) => (
            <li key={`${event.at} ${event.run} ${event.text}`} data-row>
              <span class="time-line-text">
                <Text text={event.text} />
              </span>
              <span class="time-line-note">
                <StateMark mark={outcomeMark(event.outcome)} isQuiet />
                <Time at={event.at} />
                {event.by === null ? null : (
                  <span>
                    by <Name name={event.by} />
                  </span>
                )}
                <a href={pageOf.run(event.run)}>
                  <Name name={event.run} isMono />
                </a>
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
