import { expect, it } from 'vitest';
import { isLoopback } from '../../../src/core/lib/loopback.ts';

it.each(['localhost', '127.0.0.1', '127.8.200.1', '::1', '[::1]'])('%s is this machine', (host) =>
  expect(isLoopback(host)).toBe(true),
);

it.each([
  '',
  'localhost.example.com',
  'my-localhost',
  '127.example.com',
  '127.0.0.1.example.com',
  '1127.0.0.1',
  '127.0.0',
  '10.0.0.1',
  '0.0.0.0',
  '::',
  '::1:1',
  'localhost\n',
])('%j may be another machine', (host) => expect(isLoopback(host)).toBe(false));

it.each(['http://127.1/', 'http://0x7f.1/', 'http://2130706433/', 'http://LOCALHOST/', 'http://[0:0::1]/'])(
  'a URL gives %s the form that is known',
  (url) => expect(isLoopback(new URL(url).hostname)).toBe(true),
);
