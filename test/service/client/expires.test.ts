import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiresInMs, parseExpires } from '../../../src/service/client/expires.ts';

describe('expires', () => {
  it.each([
    ['2018-11-05 11:35:43Z', '2018-11-05T11:35:43.000Z'],
    ['2018-11-05 11:35:43', '2018-11-05T11:35:43.000Z'],
    ['2018-11-05 11:35:43 Z', '2018-11-05T11:35:43.000Z'],
    ['2018-11-05T11:35:43Z', '2018-11-05T11:35:43.000Z'],
    ['2018-11-05t11:35:43z', '2018-11-05T11:35:43.000Z'],
    ['2018-11-05T11:35:43.5Z', '2018-11-05T11:35:43.500Z'],
    ['2018-11-05T11:35:43.1234567Z', '2018-11-05T11:35:43.123Z'],
    ['2018-11-05T11:35:43+02:00', '2018-11-05T09:35:43.000Z'],
    ['2018-11-05T11:35:43-0330', '2018-11-05T15:05:43.000Z'],
    ['  2018-11-05 11:35:43Z  ', '2018-11-05T11:35:43.000Z'],
  ])('%j is %s', (text, iso) => expect(new Date(parseExpires(text) ?? 0).toISOString()).toBe(iso));

  it.each([null, '', 'soon', '2018-13-05 11:35:43Z', '2018-11-05', '11:35:43Z', '2018-11-05 25:35:43Z'])(
    '%j is not a time',
    (text) => {
      expect(parseExpires(text)).toBeNull();
      expect(expiresInMs(text, { now: 0, skewMs: 0 })).toBe(0);
    },
  );

  it.each([
    ['in a minute', 0, 60_000],
    ['by a service ahead of us', 20_000, 40_000],
    ['by a service behind us', -20_000, 80_000],
    ['in the past', 120_000, 0],
  ])("%s is measured on the service's clock", (_, skewMs, left) => {
    const now = Date.UTC(2026, 0, 1);
    expect(expiresInMs('2026-01-01 00:01:00Z', { now, skewMs })).toBe(left);
  });

  it('reads both notations of every second', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
        const iso = new Date(seconds * 1000).toISOString();
        const spec = iso.replace('T', ' ').replace('.000', '');
        expect([parseExpires(iso), parseExpires(spec)]).toEqual([seconds * 1000, seconds * 1000]);
      }),
    ));
});
