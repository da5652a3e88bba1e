import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localPath } from '../../../../src/server/sign-in/rules/local-path.ts';

describe('the page to go to after signing in', () => {
  test.each([
    '/',
    '/plans/7?tab=hosts#top',
    '/accounts/contoso',
    '/hosts?q=a%20b',
    '/logins',
    `/${'x'.repeat(1_999)}`,
  ])('%s is one of ours', (path) => {
    expect(localPath(path)).toBe(path);
  });

  test.each([
    null,
    '',
    'plans',
    '//evil.example.com',
    '/\\evil.example.com',
    '\\/evil.example.com',
    '/\t/evil.example.com',
    '/.//evil.example.com',
    '/x/..//evil.example.com',
    'https://evil.example.com',
    'javascript:alert(1)',
    '/a\r\nset-cookie: a=b',
    '/ä',
    ' /plans',
    '/login',
    '/login/callback?code=1',
    '/logout',
    '/api/v1/me',
    `/${'x'.repeat(2_000)}`,
  ])('%j leads to the start page', (path) => {
    expect(localPath(path)).toBe('/');
  });

  test('no text leads to another host', () => {
    const hostile = fc.stringMatching(/^[/\\.@:\t a-z%?#]{0,20}$/);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          hostile,
          hostile.map((each) => `/${each}`),
        ),
        (given) => {
          const target = localPath(given);
          expect(new URL(target, 'https://rampart.example.com').host).toBe('rampart.example.com');
          expect(target).toMatch(/^\/[\x21-\x7e]*$/);
        },
      ),
    );
  });
});
