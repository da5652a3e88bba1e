import { describe, expect, it } from 'vitest';
import { parseChangeWindow } from '../../../../src/core/model/parse-change-window.ts';
import type { WindowPolicy } from '../../../../src/core/model/policy.ts';
import { shownPlace } from '../../../../src/core/problem/problem.ts';
import { pauseOf } from '../../../../src/server/accounts/decisions/pauses.ts';
import { windowsNow } from '../../../../src/server/accounts/decisions/windows-now.ts';

const place = { file: 'rampart.config.yaml', line: 1, col: 1 };

const at = (changesAt: string | undefined) => (changesAt === undefined ? {} : { changes_at: changesAt });

function window(name: string, ...only: readonly string[]): WindowPolicy {
  const hours = only.flatMap((source) => {
    const parsed = parseChangeWindow(source);
    return parsed.ok ? [parsed.window] : [];
  });
  return { name, only: hours, place };
}

describe('windows and freezes now', () => {
  it.each([
    ['Mon-Fri 20:00-06:00 Europe/Berlin', '2026-11-23T12:00:00Z', false, '2026-11-23T19:00:00Z'],
    ['Mon-Fri 20:00-06:00 Europe/Berlin', '2026-11-23T20:00:00Z', true, '2026-11-24T05:00:00Z'],
    ['Sat,Sun UTC', '2026-11-28T12:00:00Z', true, '2026-11-30T00:00:00Z'],
    ['UTC', '2026-11-28T12:00:00Z', true, undefined],
  ])('%s at %s', (hours, now, isOpen, changesAt) => {
    const [shown] = windowsNow({ windows: [window('w', hours)], freezes: [] }, now);
    expect(shown).toEqual({ name: 'w', is_open: isOpen, place: shownPlace(place), ...at(changesAt) });
  });

  it('adjoining hours are open together', () => {
    const windows = [window('w', 'Mon 08:00-12:00 UTC', 'Mon 12:00-18:00 UTC')];
    expect(windowsNow({ windows, freezes: [] }, '2026-11-23T09:00:00Z')).toMatchObject([
      { is_open: true, changes_at: '2026-11-23T18:00:00Z' },
    ]);
  });

  it.each([
    ['a freeze without an end never changes', { from: '2026-11-01T00:00:00Z' }, false, undefined],
    ['a freeze that has begun ends', { until: '2026-12-01T00:00:00Z' }, false, '2026-12-01T00:00:00Z'],
    ['a freeze begins at its time', { from: '2026-11-23T12:00:00Z' }, false, undefined],
    ['a freeze ends at its time', { until: '2026-11-23T12:00:00Z' }, true, undefined],
    [
      'a freeze to come with an end first begins',
      { from: '2026-12-01T00:00:00Z', until: '2026-12-02T00:00:00Z' },
      true,
      '2026-12-01T00:00:00Z',
    ],
    ['a freeze to come begins', { from: '2026-12-01T00:00:00Z' }, true, '2026-12-01T00:00:00Z'],
    ['a freeze that is over never changes', { until: '2026-11-01T00:00:00Z' }, true, undefined],
  ])('%s', (_, times, isOpen, changesAt) => {
    const freezes = [{ name: 'audit', place, ...times }];
    const [shown] = windowsNow({ windows: [], freezes }, '2026-11-23T12:00:00Z');
    expect(shown).toEqual({ name: 'audit', is_open: isOpen, place: shownPlace(place), ...at(changesAt) });
  });
});

describe('a pause', () => {
  const account = { name: 'berlin', labels: { region: 'eu' }, configuredLabels: new Set(['region', 'tier']) };
  const now = Date.parse('2026-11-23T12:00:00Z');

  it.each([
    ['all', true],
    ['account:berlin', true],
    ['account:boston', false],
    ['where:region == "eu"', true],
    ['where:region == "us"', false],
    ['where:name == "berlin"', true],
    ['where:tier == "gold"', false],
    ['where:unknown == "gold"', true],
    ['where:name == "berlin"', true],
    ['where:name == "oslo"', false],
  ])('of %s applies to berlin: %s', (scope, holds) => {
    expect(pauseOf([{ scope, until: null }], account, now) !== undefined).toBe(holds);
  });

  it('without an end takes precedence over others, and otherwise the longest one does', () => {
    const pauses = [1, 3, 2].map((hours) => ({ scope: 'all', until: new Date(now + hours * 3_600_000) }));
    expect(pauseOf(pauses, account, now)).toBe(pauses[1]);
    const endless = { scope: 'account:berlin', until: null };
    expect(pauseOf([...pauses, endless], account, now)).toBe(endless);
    expect(pauseOf([endless, ...pauses], account, now)).toBe(endless);
  });

  it('ends at its time', () => {
    expect(pauseOf([{ scope: 'all', until: new Date(now) }], account, now)).toBeUndefined();
    expect(pauseOf([{ scope: 'all', until: new Date(now - 1) }], account, now)).toBeUndefined();
    expect(pauseOf([{ scope: 'all', until: new Date(now + 1) }], account, now)).toBeDefined();
  });
});
