import { Temporal } from 'temporal-polyfill';

/** Hours of the week in a time zone, such as `Mon-Fri 20:00-06:00 Europe/Berlin`. */
export interface ChangeWindow {
  readonly source: string;
  /** ISO days of the week on which it opens: Monday is 1. */
  readonly days: readonly number[];
  /** Minutes of the day; a window whose end is not after its start ends on the next day. */
  readonly start: number;
  readonly end: number;
  readonly timeZone: string;
}

export const dayNames = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** A span of time in which a window is open, the end exclusive. */
interface Opening {
  readonly opens: Temporal.ZonedDateTime;
  readonly closes: Temporal.ZonedDateTime;
}

const minutesOfDay = 24 * 60;

/** Every window is open on at least one day in two weeks, even if a clock change skips all of its hours on one day. */
const daysAhead = 15;

/** Is the window open at this time (RFC 3339)? */
export function isOpen(window: ChangeWindow, at: string): boolean {
  const now = zoned(window, at);
  return openingsAround(window, now, 0).some(
    ({ opens, closes }) =>
      Temporal.ZonedDateTime.compare(opens, now) <= 0 && Temporal.ZonedDateTime.compare(now, closes) < 0,
  );
}

/** The time at which a window that is closed at this time (RFC 3339) next opens. */
function nextOpening(window: ChangeWindow, at: string): Temporal.ZonedDateTime | undefined {
  const now = zoned(window, at);
  return openingsAround(window, now, daysAhead)
    .map(({ opens }) => opens)
    .filter((opens) => Temporal.ZonedDateTime.compare(opens, now) > 0)
    .toSorted(Temporal.ZonedDateTime.compare)[0];
}

/** The window that opens first, in words: `Mon 2026-11-23 20:00 Europe/Berlin`. */
export function firstOpening(windows: readonly ChangeWindow[], at: string): string | undefined {
  const [first] = windows
    .flatMap((window) => nextOpening(window, at) ?? [])
    .toSorted(Temporal.ZonedDateTime.compare);
  if (first === undefined) return undefined;
  const time = first.toPlainTime().toString({ smallestUnit: 'minute' });
  return `${dayNames[first.dayOfWeek - 1]} ${first.toPlainDate().toString()} ${time} ${first.timeZoneId}`;
}

/**
 * When these hours together change from open to closed or back, after this time (RFC 3339); undefined if they don't in
 * two weeks.
 */
export function nextChange(windows: readonly ChangeWindow[], at: string): string | undefined {
  const spans = windows
    .flatMap((window) => openingsAround(window, zoned(window, at), daysAhead))
    .map(({ opens, closes }) => ({ opens: opens.epochMilliseconds, closes: closes.epochMilliseconds }))
    .toSorted((a, b) => a.opens - b.opens);
  const now = Temporal.Instant.from(at).epochMilliseconds;
  let open: number | undefined;
  for (const { opens, closes } of spans) {
    if (opens <= now && now < closes) open = Math.max(open ?? 0, closes);
    else if (open !== undefined && opens <= open) open = Math.max(open, closes);
  }
  const next = open ?? spans.find(({ opens }) => opens > now)?.opens;
  const isAlways = open !== undefined && open >= now + (daysAhead - 2) * minutesOfDay * 60_000;
  if (next === undefined || isAlways) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(next).toString();
}

function zoned({ timeZone }: ChangeWindow, at: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(at).toZonedDateTimeISO(timeZone);
}

/** A window that opened two days ago may still be open if the time zone skipped the day between. */
function openingsAround(
  window: ChangeWindow,
  now: Temporal.ZonedDateTime,
  ahead: number,
): readonly Opening[] {
  const today = now.toPlainDate();
  const openings: Opening[] = [];
  for (let days = -2; days <= ahead; days += 1) {
    const day = today.add({ days });
    if (!window.days.includes(day.dayOfWeek)) continue;
    const endDay = window.end > window.start ? day : day.add({ days: 1 });
    const opens = momentOf(day, window.start, window.timeZone);
    const closes = momentOf(endDay, window.end, window.timeZone);
    if (Temporal.ZonedDateTime.compare(opens, closes) < 0) openings.push({ opens, closes });
  }
  return openings;
}

/** The first moment at which clocks show this time or a later one. A clock change can skip a time or repeat it. */
function momentOf(day: Temporal.PlainDate, minutes: number, timeZone: string): Temporal.ZonedDateTime {
  const local = day
    .add({ days: Math.floor(minutes / minutesOfDay) })
    .toPlainDateTime(Temporal.PlainTime.from('00:00').add({ minutes: minutes % minutesOfDay }));
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(local)) return earlier;
  return earlier.getTimeZoneTransition('next') ?? earlier;
}
