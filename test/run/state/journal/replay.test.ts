import { describe, expect, it } from 'vitest';
import { parseRun, type Run } from '../../../../src/run/state/journal/parse-run.ts';
import { recallInstalls } from '../../../../src/run/state/journal/recall.ts';
import type { BeginRecord } from '../../../../src/run/state/journal/record.ts';
import { changesMade, replay } from '../../../../src/run/state/journal/replay.ts';
import { digestOf } from '../../../../src/run/state/journal/run-digest.ts';
import { hostId } from '../../../given/fleet.ts';

const account = { companyId: '42', service: 'https://service.example' };
const owner = { company_id: account.companyId, service: account.service };
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

const head = (parts: object = {}) => ({
  type: 'run',
  format_version: '1.1',
  run_id: 'r',
  at: at(0),
  account: owner,
  plan_checksum: 'c',
  steps: 1,
  fleet_size: 4,
  ...parts,
});
const begin = (step: string, kind: BeginRecord['kind'], hosts: readonly string[], minute = 0) => ({
  type: 'begin',
  at: at(minute),
  step,
  kind,
  changes: hosts.map((host) => ({ host_id: host })),
});
const outcome = (step: string, outcome: string, parts: object = {}) => ({
  type: 'outcome',
  at: at(0),
  step,
  outcome,
  ...parts,
});
const end = (code: number) => ({ type: 'end', at: at(0), exit_code: code });

function runOf(...records: readonly object[]): Run {
  const run = parseRun([head(), ...records].map((each) => `${JSON.stringify(each)}\n`).join(''), 'run');
  if (!run.ok) throw new Error(run.problems[0]?.message);
  return run.value;
}

const changed = (...records: readonly object[]) =>
  changesMade(replay(runOf(...records))).map(({ change }) => change.host_id);

describe('the state of a run', () => {
  it.each([
    ['completed', [end(0)], 0],
    ['incomplete', [end(5)], 5],
    ['crashed', [], null],
  ] as const)('is %s by its last record', (state, records, exitCode) => {
    expect(replay(runOf(...records))).toMatchObject({ state, exitCode });
  });

  it('has no step for an outcome without a begin record', () => {
    expect(replay(runOf(outcome('s1', 'done'))).steps).toEqual([]);
  });
});

describe('the changes that a run made', () => {
  it.each(['done', 'unknown'])('are all for a step that is %s', (what) => {
    expect(changed(begin('s1', 'move', ['1', '2']), outcome('s1', what))).toEqual(['1', '2']);
  });

  it.each(['already', 'skipped', 'not-started'])('are none for a step that was %s', (what) => {
    expect(changed(begin('s1', 'move', ['1']), outcome('s1', what))).toEqual([]);
  });

  it('are those of the other hosts for a step that failed for some hosts', () => {
    const failed = outcome('s1', 'failed', { failed_host_ids: ['1'] });
    expect(changed(begin('s1', 'move', ['1', '2']), failed)).toEqual(['2']);
  });

  it('are none for a step that failed as a whole', () => {
    expect(changed(begin('s1', 'move', ['1', '2']), outcome('s1', 'failed'))).toEqual([]);
  });
});

describe('hosts in doubt', () => {
  const inDoubt = (what: string, parts: object = {}) => {
    const [step] = replay(runOf(begin('s1', 'antivirus', ['1', '2']), outcome('s1', what, parts))).steps;
    return ['1', '2'].filter((host) => step?.isInDoubt(host));
  };

  it('are those that the record names', () => {
    expect(inDoubt('unknown', { in_doubt_host_ids: ['2'] })).toEqual(['2']);
    expect(inDoubt('failed', { in_doubt_host_ids: ['1'] })).toEqual(['1']);
  });
});

describe('recalled installs', () => {
  const recall = (now: number, ...runs: readonly Run[]) =>
    recallInstalls(runs.map(digestOf), { account, now: Date.parse(at(now)), windowMs: 3_600_000 }).get(
      hostId(1),
    );
  const asked = (step: string, minute: number, host = '1') => [
    begin(step, 'antivirus', [host], minute),
    outcome(step, 'done'),
  ];
  const refreshed = (step: string, minute: number, what = 'done') => [
    begin(step, 'refresh', ['1'], minute),
    outcome(step, what),
  ];

  it('are the latest of each host, whatever the order of the runs', () => {
    const [early, late] = [runOf(...asked('s1', 1)), runOf(...asked('s1', 2))];
    const latest = { state: 'accepted', requestedAt: at(2) };
    expect([recall(5, early, late), recall(5, late, early)]).toEqual([latest, latest]);
  });

  it('count from the exact time of their record', () => {
    expect(recall(2, runOf(...asked('s1', 2)))).toEqual({ state: 'accepted', requestedAt: at(2) });
  });

  it('count though the clock that dated them was ahead, by less than the window', () => {
    expect(recall(0, runOf(...asked('s1', 59)))).toEqual({ state: 'accepted', requestedAt: at(59) });
    expect(recall(-1, runOf(...asked('s1', 59)))).toBeUndefined();
  });

  it('include the first refresh after the request', () => {
    const run = runOf(...asked('s1', 1), ...refreshed('s2', 2), ...refreshed('s3', 3));
    expect(recall(5, run)?.refreshedAt).toBe(at(2));
  });

  it('include no refresh before the request, and none without a request', () => {
    expect(recall(5, runOf(...refreshed('s1', 1), ...asked('s2', 2)))?.refreshedAt).toBeUndefined();
    expect(recall(5, runOf(...refreshed('s1', 1)))).toBeUndefined();
  });

  it('include no refresh whose response was lost', () => {
    const run = runOf(...asked('s1', 1), ...refreshed('s2', 2, 'unknown'));
    expect(recall(5, run)).toEqual({ state: 'accepted', requestedAt: at(1) });
  });
});

describe('a line of a journal', () => {
  const text = (...lines: readonly string[]) =>
    parseRun([JSON.stringify(head()), ...lines].map((line) => `${line}\n`).join(''), 'run');

  it('may be incomplete if it is the last one, with its line break or without', () => {
    const torn = text(JSON.stringify(begin('s1', 'move', ['1'])), '{"type":"outc');
    expect(torn).toMatchObject({ ok: true, value: { torn: true, records: { length: 2 } } });
    expect(text()).toMatchObject({ ok: true, value: { torn: false, records: { length: 1 } } });
  });

  it('that is incomplete before the last one is damage in its place', () => {
    const damaged = text('{"type":"outc', JSON.stringify(end(0)));
    expect(damaged.problems[0]?.place).toEqual({ file: 'run', line: 2, col: 1 });
  });

  it('contains the format only in the head', () => {
    expect(text(JSON.stringify({ ...end(0), format_version: '2.0' })).ok).toBe(true);
    const later = parseRun(`${JSON.stringify({ format_version: '2.0', type: 'other' })}\n`, 'run');
    expect(later.problems[0]?.message).toContain('format 2.0');
  });

  it.each(['null', '"text"', '7', '{}', '{"format_version":2}'])('%s is not a head', (line) => {
    expect(parseRun(`${line}\n`, 'run').problems[0]).toMatchObject({
      code: 'journal',
      message: 'this line of the journal is damaged',
    });
  });
});
