import { Temporal } from 'temporal-polyfill';
import { didYouMean, nearest, quoted } from '../lib/words.ts';
import { type ChangeWindow, dayNames } from './change-window.ts';

/** What is wrong with the text of a window; offsets in UTF-16 units, with an exclusive end. */
export interface WindowFault {
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly hint: string;
}

export type ParsedWindow =
  | { readonly ok: true; readonly window: ChangeWindow }
  | { readonly ok: false; readonly faults: readonly WindowFault[] };

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

type Fault = (at: Omit<Word, 'text'>, message: string, hint: string) => undefined;

const example = 'write it like Mon-Fri 20:00-06:00 Europe/Berlin';
const fullNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const everyDay: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
const endOfDay = 24 * 60;
const wholeDay = { start: 0, end: endOfDay };

/**
 * Hours of the week: days, hours of the day and a time zone. Without days it is open every day, without hours all
 * day long.
 *
 *     Mon-Fri 20:00-06:00 Europe/Berlin
 *     Sat,Sun UTC
 *     22:00-24:00 Asia/Kolkata
 */
export function parseChangeWindow(source: string): ParsedWindow {
  const faults: WindowFault[] = [];
  const fault: Fault = ({ start, end }, message, hint) => {
    faults.push({ message, start, end, hint });
    return undefined;
  };
  const words: Word[] = [...source.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
  const dayWord = isDays(words) ? words.shift() : undefined;
  const hourWord = /^\d/.test(words[0]?.text ?? '') ? words.shift() : undefined;
  const [zoneWord, extra] = words;
  const days = dayWord === undefined ? everyDay : readDays(dayWord, fault);
  const hours = hourWord === undefined ? wholeDay : readHours(hourWord, fault);
  const timeZone =
    zoneWord === undefined
      ? fault(
          wholeOf(source),
          'the hours have no time zone',
          'add one at the end, such as UTC or Europe/Berlin',
        )
      : readZone(zoneWord, fault);
  if (extra !== undefined) fault(extra, `${quoted(extra.text)} is not expected here`, example);
  return days === undefined || hours === undefined || timeZone === undefined || extra !== undefined
    ? { ok: false, faults }
    : { ok: true, window: { source, days, ...hours, timeZone } };
}

/** True if the first of several words is not a time. A single word counts only if it names days. */
function isDays([first, second]: readonly Word[]): boolean {
  if (first === undefined || /^\d/.test(first.text)) return false;
  return second !== undefined || first.text.split(/[-,]/).every((name) => dayOf(name) !== undefined);
}

/** `Mon-Fri`, `Sat,Sun` or `Fri-Mon,Wed`: sorted, without duplicates. */
function readDays(word: Word, fault: Fault): readonly number[] | undefined {
  const days = new Set<number>();
  let start = word.start;
  for (const part of word.text.split(',')) {
    const at = { start, end: start + part.length };
    start = at.end + 1;
    const [first = '', last = first, more] = part.split('-');
    const from = readDay(first, { start: at.start, end: at.start + first.length }, fault);
    const to = first === last ? from : readDay(last, { start: at.end - last.length, end: at.end }, fault);
    if (from === undefined || to === undefined) return undefined;
    if (more !== undefined)
      return fault(at, `${quoted(part)} is not a range of days`, 'write it like Mon-Fri');
    days.add(to);
    for (let day = from; day !== to; day = (day % 7) + 1) days.add(day);
  }
  return [...days].toSorted((a, b) => a - b);
}

function readDay(name: string, at: Omit<Word, 'text'>, fault: Fault): number | undefined {
  const day = dayOf(name);
  if (day !== undefined) return day;
  const [near] = nearest(name, [...dayNames, ...fullNames]);
  const known = `the days are ${dayNames.join(', ')}; ${example}`;
  return fault(
    at,
    `${quoted(name)} is not a day of the week`,
    near === undefined ? known : `did you mean "${near}"?`,
  );
}

function dayOf(name: string): number | undefined {
  const folded = name.toLowerCase();
  const index = fullNames.findIndex((full) => full === folded || full.slice(0, 3) === folded);
  return index === -1 ? undefined : index + 1;
}

function readHours(word: Word, fault: Fault): { readonly start: number; readonly end: number } | undefined {
  const [from = '', to, more] = word.text.split('-');
  if (to === undefined || more !== undefined) {
    return fault(word, `${quoted(word.text)} is not a range of hours`, 'write it like 20:00-06:00');
  }
  const start = readTime(from, { start: word.start, end: word.start + from.length }, fault);
  const end = readTime(to, { start: word.end - to.length, end: word.end }, fault);
  if (start === undefined || end === undefined) return undefined;
  if (start < endOfDay) return { start, end };
  return fault(word, "hours can end at 24:00, but can't start there", 'start at 00:00 on the next day');
}

function readTime(text: string, at: Omit<Word, 'text'>, fault: Fault): number | undefined {
  const match = /^(\d\d):(\d\d)$/.exec(text);
  const minutes = Number(match?.[1]) * 60 + Number(match?.[2]);
  if (match !== null && Number(match[2]) < 60 && minutes <= endOfDay) return minutes;
  return fault(at, `${quoted(text)} is not a time of day`, 'write a time from 00:00 to 24:00, such as 06:00');
}

function readZone(word: Word, fault: Fault): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(word.text).timeZoneId;
  } catch {
    return fault(
      word,
      `${quoted(word.text)} is not a time zone`,
      didYouMean(nearestZones(word.text)) ??
        'use a name from the IANA time zone database, such as Europe/Berlin, or UTC',
    );
  }
}

/** A city alone gets a suggestion, but is not accepted. */
function nearestZones(word: string): readonly string[] {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  const cityOf = (zone: string) => zone.slice(zone.lastIndexOf('/') + 1);
  const inCity = zones.filter((zone) => cityOf(zone).toLowerCase() === word.toLowerCase());
  if (inCity.length > 0) return inCity.slice(0, 3);
  const near = nearest(word, zones);
  if (near.length > 0) return near;
  const cities = nearest(word, zones.map(cityOf));
  return zones.filter((zone) => cities.includes(cityOf(zone))).slice(0, 3);
}

function wholeOf(source: string): Omit<Word, 'text'> {
  return { start: 0, end: Math.max(1, source.length) };
}
