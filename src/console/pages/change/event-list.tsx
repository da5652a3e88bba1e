import { elementScroll, observeElementOffset, observeElementRect } from '@tanstack/virtual-core';
import { useEffect, useRef } from 'preact/hooks';
import type { RunDetail, RunEventRow } from '../../../api/runs.ts';
import { TextField, Tick } from '../../../output/components/field.tsx';
import { counted, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { useAddress } from '../../browser/address.ts';
import { announce } from '../../browser/announce.ts';
import { Button } from '../../parts/button.tsx';
import { StateMark } from '../../parts/mark.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/states.tsx';
import { useVirtualizer } from '../../parts/virtualizer.ts';
import { exactTime } from '../../words/times.ts';
import { copiedText, shownEvents } from './event-log.ts';
import { eventMark, isProblem } from './event-marks.ts';
import { useRunEvents } from './run-events.ts';

const rowHeight = 28;

/** What the run did, event by event: filter, follow, copy. */
export function EventList({ run }: { readonly run: RunDetail }) {
  const { log, problem, isRead, hasEarlier, readEarlier, reload } = useRunEvents(run.id);
  const { get, set } = useAddress();
  const text = get('events');
  const onlyProblems = get('problems') === 'only';
  const isFollowing = get('follow') !== 'off';
  const events = shownEvents(log.events, { text, onlyProblems });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(copiedText(events));
      announce(`${counted(events.length, 'event')} copied.`);
    } catch {
      announce('The browser did not allow copying.');
    }
  };
  return (
    <Section
      title="Events"
      count={
        isRead
          ? `${hasEarlier || log.forgotten > 0 ? 'the last ' : ''}${figure(log.events.length)}`
          : undefined
      }
      actions={
        <Button onClick={() => void copy()} reason={events.length === 0 ? 'There is nothing to copy.' : null}>
          Copy
        </Button>
      }
    >
      <div class="filters">
        <TextField
          label="Search events"
          type="search"
          value={text}
          onInput={(value) => set({ events: value })}
        />
        <Tick
          label="Only problems"
          isChecked={onlyProblems}
          onChange={(isChecked) => set({ problems: isChecked ? 'only' : null })}
        />
        <Tick
          label="Follow"
          isChecked={isFollowing}
          onChange={(isChecked) => set({ follow: isChecked ? null : 'off' })}
        />
      </div>
      <ErrorState tried="Reading the events" problem={problem} onRetry={reload} />
      {!isRead && problem === null ? <Skeleton lines={6} /> : null}
      {isRead && log.events.length === 0 ? (
        <EmptyState title="No events yet">Each step appears here when it starts and when it ends.</EmptyState>
      ) : null}
      {isRead && log.events.length > 0 && events.length === 0 ? (
        <EmptyState title="No event matches" />
      ) : null}
      {hasEarlier ? (
        <p class="more">
          <Button onClick={readEarlier}>Show earlier events</Button>
        </p>
      ) : null}
      {log.forgotten > 0 ? (
        <p class="dim">
          The page keeps the last {figure(log.events.length)} events. The command line lists all of them.
        </p>
      ) : null}
      {events.length > 0 ? <Rows events={events} isFollowing={isFollowing} /> : null}
    </Section>
  );
}

function Rows({
  events,
  isFollowing,
}: {
  readonly events: readonly RunEventRow[];
  readonly isFollowing: boolean;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer<HTMLDivElement>({
    count: events.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 10,
  });
  const last = events.at(-1)?.seq;
  useEffect(() => {
    if (isFollowing && events.length > 0) virtualizer.scrollToIndex(events.length - 1, { align: 'end' });
  }, [last, isFollowing, events.length, virtualizer]);
  return (
    <div ref={scroller} class="card event-log" role="log" aria-live="off" aria-label="Events" tabIndex={0}>
      <div class="event-rows" style={{ height: `${virtualizer.getTotalSize()}px` }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const event = events[index];
          if (event === undefined) return null;
          return (
            <div
              key={event.seq}
              class={`event${isProblem(event) ? ` trouble ${eventMark(event).tone}` : ''}`}
              data-index={index}
              ref={(element) => virtualizer.measureElement(element)}
              style={{ transform: `translateY(${start}px)` }}
            >
              <time dateTime={event.at} title={exactTime(event.at, {})}>
                {clockTime(event.at)}
              </time>
              <StateMark mark={eventMark(event)} isQuiet />
              <span class="event-text">{event.text}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function clockTime(at: string): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }).format(Date.parse(at));
}
