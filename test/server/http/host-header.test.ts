import { describe, expect, it } from 'vitest';
import { allowsHost } from '../../../src/server/http/host-header.ts';
import type { ServerSettings } from '../../../src/server/settings/server-settings.ts';

const settings = (rest: object = {}) =>
  ({ listen: { host: '127.0.0.1', port: 8080 }, ...rest }) as ServerSettings;

describe('a request to a server without a login and an address of its own', () => {
  it.each(['localhost:8080', 'LOCALHOST', '127.0.0.1:8080', '127.0.0.2:8080', '[::1]:8080'])(
    'is for it if it names %s',
    (host) => expect(allowsHost(host, settings())).toBe(true),
  );

  it.each([
    undefined,
    '',
    'evil.example.com',
    '127.0.0.1.example.com',
    'localhost.example.com:8080',
    '10.0.0.1',
  ])('is for another server if it names %s', (host) => expect(allowsHost(host, settings())).toBe(false));
});

it('a server with an address of its own takes that address, and no other name', () => {
  const own = settings({ url: 'https://rampart.example.com', login: {} });
  expect(allowsHost('Rampart.example.com', own)).toBe(true);
  expect(allowsHost('rampart.example.org', own)).toBe(false);
});
