import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it, test } from 'vitest';
import { type ChangeWindow, firstOpening, isOpen } from '../../../src/core/model/change-window.ts';
import { parseChangeWindow } from '../../../src/core/model/parse-change-window.ts';
import { casesOf } from '../../given/cases.ts';

function window(source: string): ChangeWindow {
  const parsed = parseChangeWindow(source);
  if (!parsed.ok) throw new Error(parsed.faults.map((each) => each.message).join('; '));
  return parsed.window;
}

describe('hours of the week are read', () => {
  test.each([
    ['a span of days', 'Mon-Fri 20:00-06:00 Europe/Berlin', [1, 2, 3, 4, 5], 1200, 360, 'Europe/Berlin'],
    ['a list of days', 'Sat,Sun 00:00-24:00 UTC', [6, 7], 0, 1440, 'UTC'],
    ['whole days', 'Sat,Sun UTC', [6, 7], 0, 1440, 'UTC'],
    ['every day', '22:00-24:00 Asia/Kolkata', [1, 2, 3, 4, 5, 6, 7], 1320, 1440, 'Asia/Kolkata'],
    ['always', 'UTC', [1, 2, 3, 4, 5, 6, 7], 0, 1440, 'UTC'],
    ["a span over the week's end", 'Fri-Mon 01:00-02:00 UTC', [1, 5, 6, 7], 60, 120, 'UTC'],
    ['spans and single days', 'Mon-Tue,Tue,Fri UTC', [1, 2, 5], 0, 1440, 'UTC'],
    ['full names, in any case', 'monday-WED 08:00-09:30 utc', [1, 2, 3], 480, 570, 'UTC'],
    ['blanks between', '  Mon \t 08:00-09:00   UTC ', [1], 480, 540, 'UTC'],
    ['an offset as the zone', 'Mon 08:00-09:00 +05:30', [1], 480, 540, '+05:30'],
    ['a zone in another case', 'Mon europe/berlin', [1], 0, 1440, 'Europe/Berlin'],
  ])('%s: %s', (_what, source, days, start, end, timeZone) => {
    expect(parseChangeWindow(source)).toEqual({ ok: true, window: { source, days, start, end, timeZone } });
  });
});

describe('errors are reported with their place', () => {
  test.each([
    ['Mo-Fri 20:00-06:00 UTC', 'Mo', '"Mo" is not a day of the week', 'did you mean "Mon"?'],
    ['Mon,Xyz UTC', 'Xyz', '"Xyz" is not a day of the week', 'the days are'],
    ['Mon, Tue UTC', '', '"" is not a day of the week', 'the days are'],
    ['Mon-Wed-Fri UTC', 'Mon-Wed-Fri', '"Mon-Wed-Fri" is not a range of days', 'Mon-Fri'],
    ['Mon 8:00-17:00 UTC', '8:00', '"8:00" is not a time of day', '06:00'],
    ['Mon 20:00-24:01 UTC', '24:01', '"24:01" is not a time of day', '24:00'],
    ['Mon 20:00-20:60 UTC', '20:60', '"20:60" is not a time of day', '24:00'],
    ['Mon 24:00-06:00 UTC', '24:00-06:00', "hours can end at 24:00, but can't start there", '00:00'],
    ['Mon 20:00 UTC', '20:00', '"20:00" is not a range of hours', '20:00-06:00'],
    ['Mon 01:00-02:00-03:00 UTC', '01:00-02:00-03:00', 'is not a range of hours', '20:00-06:00'],
    ['Mon-Fri 20:00-06:00', 'Mon-Fri 20:00-06:00', 'the hours have no time zone', 'Europe/Berlin'],
    ['Mon', 'Mon', 'the hours have no time zone', 'UTC'],
    ['', '', 'the hours have no time zone', 'UTC'],
    ['Mon Europe/Berln', 'Europe/Berln', '"Europe/Berln" is not a time zone', 'did you mean "Europe/Berlin"'],
    ['Mon Berlin', 'Berlin', '"Berlin" is not a time zone', 'did you mean "Europe/Berlin"'],
    ['Mon Berln', 'Berln', '"Berln" is not a time zone', 'Europe/Berlin'],
    ['Mon Middle/Earth/Shire', 'Middle/Earth/Shire', 'is not a time zone', 'IANA'],
    ['Mon UTC or so', 'or', '"or" is not expected here', 'write it like'],
  ])('%j', (source, at, message, hint) => {
    const parsed = parseChangeWindow(source);
    const [fault] = parsed.ok ? [] : parsed.faults;
    expect(fault?.message).toContain(message);
    expect(fault?.hint).toContain(hint);
    expect(source.slice(fault?.start, fault?.end)).toBe(at);
  });

  test('any text is a window or has a fault at a place inside it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'MonFri ,-:0123456UTC/Europe'.split('')) }),
        (source) => {
          const parsed = parseChangeWindow(source);
          if (parsed.ok) return;
          expect(parsed.faults.length).toBeGreaterThan(0);
          for (const { start, end } of parsed.faults) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeLessThanOrEqual(Math.max(1, source.length));
          }
        },
      ),
    );
  });
});

/** 21 November 2026 is a Saturday; Berlin is an hour ahead of UTC. */
describe('is it open?', () => {
  const nights = 'Mon-Fri 20:00-06:00 Europe/Berlin';
  test.each([
    ['before it opens', nights, '2026-11-20T18:59:59Z', false],
    ['as it opens', nights, '2026-11-20T19:00:00Z', true],
    ['after midnight, on a day that is not listed', nights, '2026-11-21T04:59:59.999Z', true],
    ['as it closes', nights, '2026-11-21T05:00:00Z', false],
    ['on the evening of a day that is not listed', nights, '2026-11-21T20:00:00Z', false],
    ['in the night to the first day', nights, '2026-11-23T03:00:00Z', false],
    ['whole days: the last moment', 'Sat UTC', '2026-11-21T23:59:59Z', true],
    ['whole days: the next', 'Sat UTC', '2026-11-22T00:00:00Z', false],
    ['until 24:00', 'Sat 22:00-24:00 UTC', '2026-11-21T23:30:00Z', true],
    ['after 24:00', 'Sat 22:00-24:00 UTC', '2026-11-22T00:00:00Z', false],
    ["over the week's end", 'Sun 22:00-02:00 UTC', '2026-11-23T01:00:00Z', true],
    ['from one hour to the same: a whole day', 'Sat 20:00-20:00 UTC', '2026-11-22T19:00:00Z', true],
    ['a zone of half hours, shut', 'Sat 10:00-11:00 Asia/Kolkata', '2026-11-21T04:29:00Z', false],
    ['a zone of half hours, open', 'Sat 10:00-11:00 Asia/Kolkata', '2026-11-21T04:30:00Z', true],
    ['a time with an offset', 'Sat 10:00-11:00 UTC', '2026-11-21T11:30:00+01:00', true],
  ])('%s: %s at %s', (_what, source, at, open) => {
    expect(isOpen(window(source), at)).toBe(open);
  });

  describe('clocks are put forward (Berlin, 28 March 2027, 02:00 becomes 03:00)', () => {
    test.each([
      ['a start that is skipped opens after the skip', '02:30-05:00', '2027-03-28T00:59:59Z', false],
      ['and no later', '02:30-05:00', '2027-03-28T01:00:00Z', true],
      ['an end that is skipped closes at the skip', '00:00-02:30', '2027-03-28T00:59:59Z', true],
      ['and no later', '00:00-02:30', '2027-03-28T01:00:00Z', false],
      ['the hours after keep their time', '04:00-05:00', '2027-03-28T02:00:00Z', true],
      ['hours that are skipped whole never come', '02:15-02:45', '2027-03-28T01:00:00Z', false],
    ])('%s: %s at %s', (_what, hours, at, open) => {
      expect(isOpen(window(`Sun ${hours} Europe/Berlin`), at)).toBe(open);
    });
  });

  describe('clocks are put back (Berlin, 31 October 2027, 03:00 becomes 02:00)', () => {
    test.each([
      ['a start that comes twice opens at the first', '02:30-05:00', '2027-10-31T00:30:00Z', true],
      ['and stays open', '02:30-05:00', '2027-10-31T01:15:00Z', true],
      ['an end that comes twice closes at the first', '00:00-02:30', '2027-10-31T00:29:59Z', true],
      ['and stays shut', '00:00-02:30', '2027-10-31T01:15:00Z', false],
      ['hours around both are longer', '00:00-06:00', '2027-10-31T04:59:59Z', true],
    ])('%s: %s at %s', (_what, hours, at, open) => {
      expect(isOpen(window(`Sun ${hours} Europe/Berlin`), at)).toBe(open);
    });
  });

  it('half an hour is skipped on Lord Howe Island (3 October 2027, 02:00 becomes 02:30)', () => {
    const early = window('Sun 02:15-04:00 Australia/Lord_Howe');
    expect(isOpen(early, '2027-10-02T15:29:00Z')).toBe(false);
    expect(isOpen(early, '2027-10-02T15:30:00Z')).toBe(true);
  });

  it('a day that a zone skips (Samoa, 30 December 2011) has no hours', () => {
    const friday = window('Fri Pacific/Apia');
    expect(isOpen(friday, '2011-12-30T10:00:00Z')).toBe(false);
    expect(firstOpening([friday], '2011-12-29T12:00:00Z')).toBe('Fri 2012-01-06 00:00 Pacific/Apia');
  });
});

describe('when does it open next?', () => {
  test.each([
    ['on the next listed day', 'Mon-Fri 20:00-06:00 Europe/Berlin', 'Mon 2026-11-23 20:00 Europe/Berlin'],
    ['on the same day', 'Sat 22:00-24:00 UTC', 'Sat 2026-11-21 22:00 UTC'],
    ['in a week', 'Sat 08:00-09:00 UTC', 'Sat 2026-11-28 08:00 UTC'],
  ])('%s: %s', (_what, source, opening) => {
    expect(firstOpening([window(source)], '2026-11-21T09:00:00Z')).toBe(opening);
  });

  it('the first of several', () => {
    const windows = [window('Mon 08:00-09:00 UTC'), window('Sun 23:00-24:00 America/New_York')];
    expect(firstOpening(windows, '2026-11-21T09:00:00Z')).toBe('Sun 2026-11-22 23:00 America/New_York');
  });

  it('never on a day whose hours are skipped', () => {
    expect(firstOpening([window('Sun 02:15-02:45 Europe/Berlin')], '2027-03-27T12:00:00Z')).toBe(
      'Sun 2027-04-04 02:15 Europe/Berlin',
    );
  });

  it('never if there is none', () => {
    expect(firstOpening([], '2026-11-21T09:00:00Z')).toBeUndefined();
  });
});

const times = fc
  .integer({ min: Date.parse('2026-01-01T00:00:00Z'), max: Date.parse('2029-01-01T00:00:00Z') })
  .map((ms) => new Date(ms).toISOString());
const sources = fc
  .record({
    days: fc.constantFrom('', 'Mon-Fri ', 'Sat,Sun ', 'Fri-Mon ', 'Wed '),
    from: fc.integer({ min: 0, max: 1439 }),
    to: fc.integer({ min: 0, max: 1440 }),
    zone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'Asia/Kathmandu',
      'America/New_York',
      'Australia/Lord_Howe',
    ),
  })
  .map(({ days, from, to, zone }) => `${days}${clock(from)}-${clock(to)} ${zone}`);

function clock(minutes: number): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** The moment that a text such as `Mon 2026-11-23 20:00 Europe/Berlin` names: the earlier one where clocks show it twice. */
function momentOf(opening: string): Temporal.Instant {
  const [, day, time, zone = ''] = opening.split(' ');
  return Temporal.PlainDateTime.from(`${day}T${time}`)
    .toZonedDateTime(zone, { disambiguation: 'earlier' })
    .toInstant();
}

test('a window is open at its opening, and closed just before that', () => {
  fc.assert(
    fc.property(sources, times, (source, at) => {
      const each = window(source);
      const opening = momentOf(firstOpening([each], at) ?? '');
      expect(isOpen(each, opening.toString())).toBe(true);
      if (isOpen(each, at)) return;
      const before = opening.subtract({ seconds: 1 });
      if (Temporal.Instant.compare(before, Temporal.Instant.from(at)) < 0) return;
      expect(isOpen(each, before.toString())).toBe(false);
    }),
    casesOf(300),
  );
});
