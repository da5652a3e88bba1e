import { shortDuration } from '../../output/components/durations.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Where and when the reader is. Without a zone or locale, the browser's own. */
export interface Reader {
  readonly now: number;
  readonly locale?: string | undefined;
  readonly zone?: string | undefined;
}

/** `just now`, `9 min ago`, `in 3 h`, `yesterday 07:40`, `20 Nov`, `20 Nov 2025`. */
export function relativeTime(at: string, reader: Reader): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return at;
  const apart = Math.abs(time - reader.now);
  const isPast = time <= reader.now;
  // The server's clock may be a little ahead, and the page's time is some seconds old.
  if (apart < 45 * second) return isPast || apart < 15 * second ? 'just now' : 'in a moment';
  if (apart < hour) return directed(`${Math.max(1, Math.round(apart / minute))} min`, isPast);
  if (apart < 12 * hour) return directed(`${Math.round(apart / hour)} h`, isPast);
  const days = daysBetween(time, reader);
  const named = days === 0 ? 'today' : days === -1 ? 'yesterday' : days === 1 ? 'tomorrow' : null;
  if (named !== null) return `${named} ${format(time, reader, { hour: '2-digit', minute: '2-digit' })}`;
  if (Math.abs(days) < 7)
    return format(time, reader, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
  const isThisYear = year(time, reader) === year(reader.now, reader);
  return format(time, reader, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' as const }),
  });
}

/** How long something has been so: `for 9 min`, `since yesterday 07:40`, `since 20 Nov`. */
export function sinceWords(at: string, reader: Reader): string {
  const text = relativeTime(at, reader);
  if (text === 'just now') return text;
  return text.endsWith(' ago') ? `for ${text.slice(0, -' ago'.length)}` : `since ${text}`;
}

/** The exact time with its zone, for a title. */
export function exactTime(at: string, reader: Omit<Reader, 'now'>): string {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return at;
  return format(time, reader, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
}

function directed(text: string, isPast: boolean): string {
  return isPast ? `${text} ago` : `in ${text}`;
}

function daysBetween(time: number, reader: Reader): number {
  return Math.round((midnight(time, reader) - midnight(reader.now, reader)) / day);
}

/** The start of the reader's day, counted as if that day were in UTC. */
function midnight(time: number, reader: Reader): number {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: reader.zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(time);
  return Date.parse(`${parts}T00:00:00Z`);
}

function year(time: number, reader: Reader): string {
  return format(time, { ...reader, locale: 'en' }, { year: 'numeric' });
}

function format(
  time: number,
  { locale, zone }: Omit<Reader, 'now'>,
  options: Intl.DateTimeFormatOptions,
): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }).format(time);
}

/** When something comes that is a short time away: `now`, `in 4 s`, `in 12 min`. */
export function soon(at: string, now: number): string {
  const ms = Date.parse(at) - now;
  return ms <= 500 ? 'now' : `in ${shortDuration(ms / 1_000)}`;
}
