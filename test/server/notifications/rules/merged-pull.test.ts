import { describe, expect, it } from 'vitest';
import { mergedPullPage } from '../../../../src/server/notifications/rules/merged-pull.ts';
import type { ForgeSettings } from '../../../../src/server/settings/server-settings.ts';

const commit = 'c0'.repeat(20);
const forge: ForgeSettings = {
  kind: 'github',
  host: 'git.example.com',
  api: 'https://api.forge.example.com/v3',
  repository: 'acme/fleet',
  token: { kind: 'variable', variable: 'T' },
};
const page = 'https://git.example.com/acme/fleet/pull/7';
const at = (day: number) => `2026-11-${day}T10:00:00Z`;
const pageOf = (list: readonly unknown[], kind: ForgeSettings['kind'] = 'github') =>
  mergedPullPage(list, commit, { ...forge, kind });

describe('the page of the pull request that brought a commit', () => {
  it('is the one whose merge made the commit, then the one that was merged first', () => {
    const first = { html_url: `${page}1`, merged_at: at(10), merge_commit_sha: 'aa' };
    const later = { html_url: `${page}2`, merged_at: at(11), merge_commit_sha: 'bb' };
    const made = { html_url: `${page}3`, merged_at: at(12), merge_commit_sha: commit };
    const again = { html_url: `${page}4`, merged_at: at(13), merge_commit_sha: commit };
    expect(pageOf([later, first])).toBe(`${page}1`);
    expect(pageOf([later, again, first, made])).toBe(`${page}3`);
    expect(pageOf([{ ...made, html_url: 'https://evil.example.com' }, later])).toBe(`${page}2`);
    expect(pageOf([])).toBe(null);
  });

  it.each(['merge_commit_sha', 'squash_commit_sha', 'sha'])('has the commit as %s at GitLab', (key) => {
    const other = { web_url: `${page}1`, merged_at: at(10), sha: 'aa' };
    expect(pageOf([other, { web_url: page, merged_at: at(11), [key]: commit }], 'gitlab')).toBe(page);
  });

  it('is in the member of its forge', () => {
    const both = { html_url: page, web_url: `${page}0`, merged_at: at(10) };
    expect([pageOf([both]), pageOf([both], 'gitlab')]).toEqual([page, `${page}0`]);
  });

  it.each([
    ['is open', { html_url: page, merge_commit_sha: commit }],
    ['was closed', { html_url: page, merged_at: null, merge_commit_sha: commit }],
    ['was merged at no time', { html_url: page, merged_at: 'soon', merge_commit_sha: commit }],
    ['was merged at a number', { html_url: page, merged_at: 7, merge_commit_sha: commit }],
    ['has no page', { merged_at: at(10) }],
    ['is no object', 7],
    ['is null', null],
  ])('is none if the only one %s', (_what, pull) => {
    expect(pageOf([pull])).toBe(null);
  });

  it.each([
    ['', null],
    [7, null],
    [[page], null],
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
    expect(pageOf([{ html_url: address, merged_at: at(10) }])).toBe(expected);
  });
});
