import { describe, expect, it } from 'vitest';
import { healths } from '../../src/api/accounts.ts';
import { authorParts } from '../../src/console/words/author.ts';
import { changesText } from '../../src/console/words/changes.ts';
import { factText } from '../../src/console/words/facts.ts';
import { healthChoices, withLabel } from '../../src/console/words/filters.ts';
import { healthMarks, worstFirst } from '../../src/console/words/health.ts';
import { orderChange, orderChangeText } from '../../src/console/words/order-change.ts';
import { problemAdvice } from '../../src/console/words/problem-advice.ts';
import { exactTime, relativeTime, sinceWords, soon } from '../../src/console/words/times.ts';
import { verdict } from '../../src/console/words/verdict.ts';
import { changedText } from '../../src/console/words/waiting-plan.ts';
import { listed } from '../../src/core/lib/words.ts';
import { fileAndLine } from '../../src/core/problem/problem.ts';
import { durationRange, shortDuration } from '../../src/output/components/durations.ts';
import { cutName, hasEdges } from '../../src/output/components/names.ts';
import {
  atLeast,
  capitalized,
  counted,
  figure,
  sentence,
  share,
} from '../../src/output/components/numbers.ts';
import { shortHash, withoutPlace } from '../../src/output/components/places.ts';
import { givenOverview } from '../given/console/overview.ts';

describe('words of the console for health', () => {
  it('order healths as the API does, worst first', () => {
    expect(worstFirst).toEqual(healths);
  });

  it('give each health a word and a glyph of its own, so that color never stands alone', () => {
    const marks = Object.values(healthMarks);
    expect(new Set(marks.map(({ word }) => word)).size).toBe(marks.length);
    expect(new Set(marks.map(({ glyph }) => glyph)).size).toBe(marks.length);
  });
});

it('a number that is not all has a plus, and a time that is near has seconds', () => {
  expect([atLeast(20, true, 'en'), atLeast(1_204, false, 'en')]).toEqual(['20+', '1,204']);
  const now = Date.UTC(2026, 10, 23, 8);
  const at = (seconds: number) => soon(new Date(now + seconds * 1_000).toISOString(), now);
  expect([at(-3), at(0.2), at(4), at(130)]).toEqual(['now', 'now', 'in 4 s', 'in 2 min']);
});

describe('words of the console for causes', () => {
  it('begin with a capital letter, also if the text is empty or not in Latin letters', () => {
    expect(['renamed by hand', '25% of hosts', 'élan', ''].map(capitalized)).toEqual([
      'Renamed by hand',
      '25% of hosts',
      'Élan',
      '',
    ]);
  });

  it('leave out a place that stands beside them', () => {
    const place = { file: 'a.yaml', line: 3 };
    expect(withoutPlace('entry at a.yaml:3', place)).toBe('entry');
    expect(withoutPlace('entry at a.yaml:30', place)).toBe('entry at a.yaml:30');
    expect(withoutPlace('rule "x"', undefined)).toBe('rule "x"');
  });

  it('split an author into name and address', () => {
    expect(authorParts('Ada Lovelace <ada@dived.example>')).toEqual({
      name: 'Ada Lovelace',
      address: 'ada@dived.example',
    });
    expect(authorParts('Ada')).toEqual({ name: 'Ada', address: null });
    expect(authorParts('<a@b>')).toEqual({ name: '<a@b>', address: null });
  });
});

describe('the verdict of the overview', () => {
  const calm = { ...givenOverview(), unchecked: 0, accounts: 5 };
  const none = {
    failing: 0,
    in_doubt: 0,
    drifted: 0,
    waiting: 0,
    running: 0,
    in_progress: 0,
    paused: 0,
    ignored: 0,
    converged: 5,
  };

  it.each([
    [{}, 'All 5 accounts are as they should be'],
    [{ failing: 1 }, '1 account is failing'],
    [
      { failing: 3, in_doubt: 1, drifted: 41, waiting: 2 },
      '3 accounts are failing, 1 is in doubt and 41 have drifted',
    ],
    [{ drifted: 1, waiting: 2 }, '1 account has drifted and 2 have a waiting plan'],
    [{ running: 1, in_progress: 1 }, 'Nothing needs your attention, 2 accounts at work'],
    [{ paused: 1 }, 'Nothing needs your attention, 1 account paused'],
    [{ ignored: 1 }, 'Nothing needs your attention, 1 account with ignored differences'],
  ])('names what needs someone, worst first: %o', (health, text) => {
    expect(verdict({ ...calm, health: { ...none, ...health } })).toBe(text);
  });

  it('never claims that unchecked accounts are as they should be', () => {
    expect(verdict({ ...calm, unchecked: 2, health: none })).toBe(
      '2 accounts not checked yet, nothing else needs your attention',
    );
    expect(verdict({ ...calm, unchecked: 5, health: none })).toBe('No account has been checked yet');
  });

  it('speaks of a single account without a number', () => {
    expect(verdict({ accounts: 1, unchecked: 0, health: none })).toBe('The account is as it should be');
  });
});

describe('times of the console', () => {
  const reader = { now: Date.parse('2026-11-23T08:00:00Z'), locale: 'en-GB', zone: 'Europe/Berlin' };

  it.each([
    ['2026-11-23T07:59:40Z', 'just now'],
    ['2026-11-23T08:00:10Z', 'just now'],
    ['2026-11-23T08:00:30Z', 'in a moment'],
    ['2026-11-23T07:51:00Z', '9 min ago'],
    ['2026-11-23T08:11:00Z', 'in 11 min'],
    ['2026-11-23T05:00:00Z', '3 h ago'],
    ['2026-11-22T15:00:00Z', 'yesterday 16:00'],
    ['2026-11-22T23:30:00Z', '9 h ago'],
    ['2026-11-24T07:00:00Z', 'tomorrow 08:00'],
    ['2026-11-20T06:40:00Z', 'Fri 07:40'],
    ['2026-10-20T06:40:00Z', '20 Oct'],
    ['2025-10-20T06:40:00Z', '20 Oct 2025'],
    ['no time', 'no time'],
  ])('%s is "%s"', (at, text) => {
    expect(relativeTime(at, reader)).toBe(text);
  });

  it.each([
    ['2026-11-23T07:59:40Z', 'just now'],
    ['2026-11-23T07:51:00Z', 'for 9 min'],
    ['2026-11-22T15:00:00Z', 'since yesterday 16:00'],
    ['2026-10-20T06:40:00Z', 'since 20 Oct'],
  ])('a state that began at %s has lasted "%s"', (at, text) => {
    expect(sinceWords(at, reader)).toBe(text);
  });

  it('say the exact time in the zone of the reader', () => {
    expect(exactTime('2026-11-23T07:12:05Z', reader)).toBe('Mon, 23 Nov 2026, 08:12:05 CET');
    expect(exactTime('2026-11-23T07:12:05Z', { ...reader, zone: 'UTC' })).toBe(
      'Mon, 23 Nov 2026, 07:12:05 UTC',
    );
  });

  it('say a duration as one number or as a range', () => {
    expect([40, 100, 7_200, 200_000].map(shortDuration)).toEqual(['40 s', '2 min', '2 h', '2 days']);
    expect(durationRange({ low: 110, high: 125 })).toBe('about 2 min');
    expect(durationRange({ low: 120, high: 300 })).toBe('2 to 5 min');
    expect(durationRange({ low: 60, high: 300 })).toBe('60 s to 5 min');
  });
});

describe('numbers of the console', () => {
  it('use the notation of the reader', () => {
    expect(figure(1204, 'en')).toBe('1,204');
    expect(figure(1204, 'de')).toBe('1.204');
    expect(counted(1, 'account', 'accounts', 'en')).toBe('1 account');
    expect(counted(0, 'account', 'accounts', 'en')).toBe('0 accounts');
  });

  it('show 100% only if nothing is left, and 0% only if nothing is done', () => {
    expect([share(0, 0), share(0, 9), share(1, 1_000), share(999, 1_000), share(9, 9)]).toEqual([
      '0%',
      '0%',
      '1%',
      '99%',
      '100%',
    ]);
  });

  it('end a sentence that has no end', () => {
    expect(['Moving', 'Moving.', 'Why? '].map(sentence)).toEqual(['Moving.', 'Moving.', 'Why? ']);
  });

  it('list parts as a sentence does', () => {
    expect([listed([]), listed(['a']), listed(['a', 'b']), listed(['a', 'b', 'c'])]).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
  });
});

describe('changes in words', () => {
  it('name each kind that a plan has', () => {
    expect(changesText({ rename: 12, move: 1, delete: 0, install: 2, refresh: 0 }, 'en')).toBe(
      '2 anti-virus installs, 12 renames, 1 move',
    );
    expect(changesText({ rename: 0, move: 0, delete: 0, install: 0, refresh: 0 })).toBe('no changes');
  });

  it('say how many of them can be undone', () => {
    expect(changedText({ changes: 9, irreversible: 0 })).toBe('A plan with 9 changes waits for approval.');
    expect(changedText({ changes: 9, irreversible: 2 })).toContain("2 of them can't be undone");
    expect(changedText({ changes: 9, irreversible: 9 })).toContain('None of them can be undone');
    expect(changedText({ changes: 1, irreversible: 1 })).toContain("It can't be undone");
  });
});

describe('names as the console shows them', () => {
  it('keep their end if they are long', () => {
    const { head, tail, whole } = cutName('BER-KIOSK-0000000000000000000000-A17');
    expect(head + tail).toBe(whole);
    expect(tail).toBe('0000-A17');
    expect(cutName('short')).toEqual({ head: 'short', tail: '', whole: 'short' });
  });

  it('have no character that could reorder or hide text', () => {
    expect(cutName('safe\u202egnp.exe').whole).toBe('safe‹U+202E›gnp.exe');
  });

  it('are bounded even if one letter has thousands of marks', () => {
    const { head, tail } = cutName(`a${'\u0301'.repeat(100_000)}b`);
    expect(head.length + tail.length).toBeLessThan(600);
  });

  it('show white space at their ends', () => {
    expect([hasEdges(' a'), hasEdges('a '), hasEdges('a b')]).toEqual([true, true, false]);
  });
});

describe('facts of a host', () => {
  it.each([
    ['hardware.memory', 17_179_869_184, '16 GB'],
    ['hardware.cores', 8, '8'],
    ['antivirus.installed', true, 'yes'],
    ['user.last', '', '(empty)'],
    ['site.code', null, '–'],
  ])('%s is shown with its unit', (name, value, text) => {
    expect(factText(name, value)).toBe(text);
  });
});

describe('a list whose order changed', () => {
  it('counts what is new, left and moved, as few as explain the new order', () => {
    expect(orderChange(['a', 'b', 'c', 'd'], ['b', 'c', 'a', 'e'])).toEqual({
      added: 1,
      removed: 1,
      moved: 1,
    });
    expect(orderChange(['a', 'b'], ['a', 'b'])).toEqual({ added: 0, removed: 0, moved: 0 });
    expect(orderChange([], ['a'])).toEqual({ added: 1, removed: 0, moved: 0 });
  });

  it('says so, or nothing', () => {
    expect(orderChangeText({ added: 12, removed: 0, moved: 1 })).toBe('12 new, 1 moved');
    expect(orderChangeText({ added: 0, removed: 0, moved: 0 })).toBeNull();
  });
});

describe('filters of the list of accounts', () => {
  it('offer each health once, and keep what the address of a link names besides', () => {
    const values = healthChoices('').map(({ value }) => value);
    expect(new Set(values).size).toBe(values.length);
    expect(healthChoices('waiting')).toEqual(healthChoices(''));
    expect(healthChoices('failing,in_doubt').at(-1)).toEqual({
      value: 'failing,in_doubt',
      text: 'failing, in doubt',
    });
  });

  it('add a label to an expression once, with its value quoted', () => {
    expect(withLabel('', 'region', 'eu')).toBe('region == "eu"');
    expect(withLabel('region == "eu"', 'tier', 'a"b')).toBe('region == "eu" && tier == "a\\"b"');
    expect(withLabel('region == "eu"', 'region', 'eu')).toBe('region == "eu"');
  });
});

describe('places and hashes', () => {
  it('are as short as they can be', () => {
    expect(fileAndLine({ file: 'fleet.yaml', line: 12 })).toBe('fleet.yaml:12');
    expect(fileAndLine({ file: 'fleet.yaml' })).toBe('fleet.yaml');
    expect(shortHash('sha256:906c382f1be04a7c')).toBe('906c382f');
  });
});

describe('what a person can do about a response', () => {
  it.each([
    [403, 'Your roles do not allow this.'],
    [404, 'It does not exist, or your roles do not include it.'],
    [409, 'It changed after this page read it.'],
    [412, 'It changed after this page read it.'],
    [413, 'What you entered is too long.'],
    [429, 'Too many requests were sent. Try again in 7 s.'],
    [502, "The server can't answer now. Try again in 7 s."],
    [503, "The server can't answer now. Try again in 7 s."],
    [504, "The server can't answer now. Try again in 7 s."],
  ])('follows from the status %i', (status, text) => {
    expect(problemAdvice({ status, retryAfter: 7 })).toContain(text);
  });

  it('is the hint of the server, if there is one', () => {
    expect(problemAdvice({ status: 409, hint: 'wait' })).toBe('wait');
  });

  it('is nothing for an internal error', () => {
    expect(problemAdvice({ status: 500 })).toBeNull();
  });

  it('is to try again later, if the server does not say when', () => {
    expect(problemAdvice({ status: 429 })).toBe('Too many requests were sent. Try again later.');
  });
});
