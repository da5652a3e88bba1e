import { describe, expect, it } from 'vitest';
import type { MergedPull } from '../../../../src/forge/forge.ts';
import { mergedPullPage } from '../../../../src/server/notifications/rules/merged-pull.ts';
import type { ForgeSettings } from '../../../../src/server/settings/server-settings.ts';

const forge: ForgeSettings = {
  kind: 'github',
  host: 'git.example.com',
  api: 'https://api.forge.example.com/v3',
  repository: 'acme/fleet',
  token: { kind: 'variable', variable: 'T' },
};
const page = 'https://git.example.com/acme/fleet/pull/7';
const at = (day: number) => Date.parse(`2026-11-${day}T10:00:00Z`);
const pull = (given: Partial<MergedPull>): MergedPull => ({
  number: 7,
  page,
  mergedAt: at(10),
  isExact: false,
  ...given,
});
const pageOf = (...pulls: readonly Partial<MergedPull>[]) => mergedPullPage(pulls.map(pull), forge);

describe('the page of the pull request that brought a commit', () => {
  it('is the one whose merge made the commit, then the one that was merged first', () => {
    const first = { page: `${page}1`, mergedAt: at(10) };
    const later = { page: `${page}2`, mergedAt: at(11) };
    const made = { page: `${page}3`, mergedAt: at(12), isExact: true };
    const again = { page: `${page}4`, mergedAt: at(13), isExact: true };
    expect(pageOf(later, first)).toBe(`${page}1`);
    expect(pageOf(later, again, first, made)).toBe(`${page}3`);
    expect(pageOf({ ...made, page: 'https://evil.example.com' }, later)).toBe(`${page}2`);
    expect(pageOf()).toBe(null);
  });

  it.each([
    ['', null],
    ['/acme/fleet/pull/7', null],
    ['http://git.example.com/acme/fleet/pull/7', null],
    ['javascript:alert(1)', null],
    ['https://evil.example.com/acme/fleet/pull/7', null],
    ['https://git.example.com@evil.example.com/7', null],
    ['https://git.example.com.evil.example.com/7', null],
    ['https://api.forge.example.com/7', null],
    ['https://forge.example.com/7', 'https://forge.example.com/7'],
    ['https://git.example.com:8443/7', 'https://git.example.com:8443/7'],
    ['https://zoe:secret@git.example.com/7?token=secret#secret', 'https://git.example.com/7'],
    ['https://git.example.com/\u{202E}7 \n', 'https://git.example.com/%E2%80%AE7'],
    [`https://git.example.com/${'x'.repeat(476)}`, `https://git.example.com/${'x'.repeat(476)}`],
    [`https://git.example.com/${'x'.repeat(477)}`, null],
    [`https://git.example.com/${'\u{202E}'.repeat(100)}`, null],
  ])('is an address of the forge in printable characters: %s', (address, expected) => {
    expect(pageOf({ page: address })).toBe(expected);
  });
});
