import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpenRun } from '../../../src/api/states.ts';
import {
  copiedText,
  emptyLog,
  mostKept,
  shownEvents,
  withEvents,
} from '../../../src/console/pages/change/event-log.ts';
import { eventMark, isProblem } from '../../../src/console/pages/change/event-marks.ts';
import { runVerdict, stepsLeft } from '../../../src/console/pages/change/run-words.ts';
import { curvePoints, curveText, peakOf } from '../../../src/console/parts/curve.ts';
import { runMarks } from '../../../src/console/words/state-marks.ts';
import { givenRunDetail, givenRunEvents } from '../../given/console/runs.ts';

describe('the log of events of a run', () => {
  it('has each event once and in order, however pages overlap', () => {
    const events = givenRunEvents(200);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(199), fc.nat(80)), { maxLength: 12 }), (pages) => {
        const log = pages.reduce(
          (sofar, [from, length]) => withEvents(sofar, events.slice(from, from + length)),
          emptyLog,
        );
        const wanted = new Set(
          pages.flatMap(([from, length]) => events.slice(from, from + length).map(({ seq }) => seq)),
        );
        expect(log.events.map(({ seq }) => seq)).toEqual([...wanted].sort((a, b) => a - b));
      }),
    );
  });

  it('keeps the newest events, and counts those that it forgot', () => {
    const log = withEvents(withEvents(emptyLog, givenRunEvents(mostKept)), givenRunEvents(30, mostKept + 1));
    expect([log.events.length, log.forgotten, log.events[0]?.seq]).toEqual([mostKept, 30, 31]);
    expect(withEvents(log, [])).toBe(log);
  });

  it('filters by text in any letter case and by problems, and copies what is shown', () => {
    const events = givenRunEvents(60);
    expect(shownEvents(events, { text: '', onlyProblems: false })).toBe(events);
    const problems = shownEvents(events, { text: '', onlyProblems: true });
    expect(problems.map(({ seq }) => seq)).toEqual([29, 58]);
    expect(shownEvents(events, { text: ' ANOTHER host ', onlyProblems: false })).toEqual(problems.slice(1));
    expect(shownEvents(events, { text: 'Failed', onlyProblems: true })).toEqual(problems.slice(0, 1));
    expect(copiedText(problems).split('\n')).toHaveLength(3);
  });
});

it('an event in doubt or skipped is a problem, and a type of a later server keeps its name', () => {
  expect(['done', 'already', 'not-started', 'retry', 'stop'].filter((type) => isProblem({ type }))).toEqual(
    [],
  );
  expect(['failed', 'unknown', 'skipped', 'error', 'warning'].every((type) => isProblem({ type }))).toBe(
    true,
  );
  expect(eventMark({ type: 'unknown' })).toMatchObject({ word: 'in doubt', tone: 'violet' });
  expect(eventMark({ type: 'later' })).toMatchObject({ word: 'later', tone: 'dim' });
});

describe('a curve', () => {
  it('stays in its box with what else is drawn there, and has a gap where nothing is known', () => {
    const box = { width: 100, height: 50 };
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })), { minLength: 1, maxLength: 50 }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (values, highest) => {
          const points = curvePoints(values, { ...box, highest });
          expect(points.map((point) => point === null)).toEqual(values.map((value) => value === null));
          for (const [x, y] of points.filter((point) => point !== null)) {
            expect(x >= 0 && x <= box.width && y >= 0 && y <= box.height).toBe(true);
          }
        },
      ),
    );
  });

  it('says in words what it shows, and does not call unknown values zero', () => {
    expect(curveText([3, null, 41, 12])).toBe('from 3, at most 41, now 12');
    expect(curveText([null, 3, null])).toBe('from 3, at most 3, now not known');
    expect(curveText([null])).toBe('not known');
  });

  it('has its peak at the latest of its highest values, and none if all are zero or unknown', () => {
    expect([[3, null, 41, 12, 41, 2], [0, null, 0], [null]].map(peakOf)).toEqual([4, -1, -1]);
  });
});

const noSteps = { total: 0, done: 0, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 };

describe('the words of a run', () => {
  it('has a sentence for every state, and never calls an outcome in doubt a failure before the first step', () => {
    for (const state of Object.keys(runMarks) as (keyof typeof runMarks)[])
      expect(runVerdict(givenRunDetail({ state })), state).toMatch(/^[A-Z0-9].*\.$/);
    const stopped = { state: 'stopped', steps: { ...noSteps, total: 3, skipped: 3 } } as const;
    const problems = [{ code: 'stale-plan', message: 'the host has another name' }];
    expect(runVerdict(givenRunDetail({ ...stopped, problems }))).toMatch(
      /^All its hosts changed after the plan/,
    );
    expect(runVerdict(givenRunDetail({ ...stopped, problems: [] }))).toBe(
      'It was stopped. 0 steps done, 3 left.',
    );
    const steps = { total: 1, done: 1, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 };
    expect(runVerdict(givenRunDetail({ state: 'in_doubt', steps }))).toBe(
      'Not every outcome is known. The next check finds out what happened.',
    );
    expect(runVerdict(givenRunDetail({ state: 'failed', steps }))).toBe('The run failed after 1 step.');
  });

  it('counts what is left, and knows which runs are under way', () => {
    expect(stepsLeft(givenRunDetail())).toBe(58);
    expect((Object.keys(runMarks) as (keyof typeof runMarks)[]).filter((state) => isOpenRun(state))).toEqual([
      'queued',
      'running',
      'stopping',
    ]);
  });
});
