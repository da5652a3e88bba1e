import { expect, it, test } from 'vitest';
import { isReadOnly, refuseReports, refuseWriting } from '../../../src/cli/service/refuse-writing.ts';
import type { Context } from '../../../src/cli/shell/context.ts';
import { readOnlyOf } from '../../../src/service/client/read-only.ts';

it('only "reports" allows reports, which change no host', () => {
  expect(readOnlyOf('reports')).toBe('reports');
  expect(readOnlyOf('report')).toBe(true);
});

test.each<[string | undefined, boolean]>([
  [undefined, false],
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
  ['yes', true],
  ['reports', true],
])('RAMPART_READ_ONLY=%j', (value, isOn) =>
  expect(isReadOnly(value === undefined ? {} : { RAMPART_READ_ONLY: value })).toBe(isOn),
);

it('a write is refused in read-only mode, with what would have been written', () => {
  const contextOf = (env: Readonly<Record<string, string>>) => ({ io: { env } }) as unknown as Context;
  expect(refuseWriting(contextOf({}), 'a ticket ends sessions')).toBeUndefined();
  expect(refuseWriting(contextOf({ RAMPART_READ_ONLY: '1' }), 'a ticket ends sessions')).toMatchObject({
    code: 'read-only',
    severity: 'error',
    message: 'a ticket ends sessions, which read-only mode blocks: nothing was sent',
  });
});

it('a write to an account in mode observe is refused, with the place of its mode', () => {
  const place = { file: 'rampart.config.yaml', line: 3, col: 5 };
  const modePlace = { ...place, line: 6 };
  const refusalOf = (mode: string, places = {}) => {
    const account = { name: 'berlin', mode, place, places };
    return refuseWriting({ io: { env: {} }, account } as unknown as Context, 'the file changes hosts');
  };
  expect(refusalOf('propose')).toBeUndefined();
  expect(refusalOf('observe')).toMatchObject({
    code: 'read-only',
    message: 'the account "berlin" is in mode observe, and the file changes hosts: nothing was sent',
    place,
  });
  expect(refusalOf('observe', { mode: modePlace })?.place).toEqual(modePlace);
});

test.each<[string, boolean]>([
  ['', false],
  ['reports', false],
  ['1', true],
])('reports under RAMPART_READ_ONLY=%j', (value, isRefused) => {
  const context = { io: { env: { RAMPART_READ_ONLY: value } } } as unknown as Context;
  expect(refuseReports(context)?.code).toBe(isRefused ? 'read-only' : undefined);
});
