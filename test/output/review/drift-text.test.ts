import { expect, it } from 'vitest';
import type { HostId } from '../../../src/core/model/observed.ts';
import type { DriftDifference } from '../../../src/core/plan/drift/drift.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { paintDrift } from '../../../src/output/review/drift-text.ts';

const place = { file: 'fleet.yaml', line: 12, col: 11 };
const changes: readonly DriftDifference[] = [
  {
    kind: 'drift',
    hostId: '812340010' as HostId,
    name: 'KIOSK-LOBBY',
    attribute: 'name',
    before: 'KIOSK-01',
    observed: 'KIOSK-LOBBY',
    intended: 'KIOSK-01',
    place,
  },
  {
    kind: 'drift',
    hostId: '9223372036854775801' as HostId,
    name: 'BER-WEB-01',
    attribute: 'group',
    before: 'Berlin Servers',
    observed: '',
    intended: 'Berlin Servers',
    place: { ...place, line: 13 },
  },
];

function shown(columns: number | null): readonly string[] {
  const report = { takenAt: '2026-11-21T09:00:00.000Z', differences: changes, unmanaged: [], problems: [] };
  const lines = paintDrift(report, { color: plainColor, columns }).split('\n');
  return lines.filter((line) => line.startsWith('  '));
}

it('shows a difference and its values before and after in one line', () => {
  expect(shown(null)).toEqual([
    '  KIOSK-LOBBY  812340010            name   KIOSK-01        →  KIOSK-LOBBY  file: KIOSK-01        fleet.yaml:12:11',
    '  BER-WEB-01   9223372036854775801  group  Berlin Servers  →  (none)       file: Berlin Servers  fleet.yaml:13:11',
  ]);
});

it('leaves out only the place if the rest of a difference fits on one line', () => {
  expect(shown(100)).toEqual([
    '  KIOSK-LOBBY  812340010            name   KIOSK-01        →  KIOSK-LOBBY  file: KIOSK-01',
    '  BER-WEB-01   9223372036854775801  group  Berlin Servers  →  (none)       file: Berlin Servers',
  ]);
});

it('shows the values of a difference on a line of their own on a narrow terminal', () => {
  for (const columns of [60, 80]) {
    expect(shown(columns)).toEqual([
      '  KIOSK-LOBBY  812340010            name   fleet.yaml:12:11',
      '      KIOSK-01        →  KIOSK-LOBBY  file: KIOSK-01',
      '  BER-WEB-01   9223372036854775801  group  fleet.yaml:13:11',
      '      Berlin Servers  →  (none)       file: Berlin Servers',
    ]);
  }
});

it('shortens the two values of a difference separately', () => {
  const lines = shown(50);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(50);
  expect(lines).toContain('      Berlin…ervers  →  (none)       file: …ervers');
});
