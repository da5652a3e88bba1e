import { describe, expect, test } from 'vitest';
import {
  type AllowedAddress,
  mayConnect,
  mayConnectToAll,
} from '../../../src/service/client/address-rules.ts';

const host = (name: string): AllowedAddress => ({ kind: 'host', host: name });
const network = (address: string, prefix: number): AllowedAddress => ({ kind: 'network', address, prefix });

const publicOnes = `
  8.8.8.8 9.255.255.255 11.0.0.0 169.253.255.255 172.32.0.1 223.255.255.255 2001:200:: 2003::
  100.128.0.1 192.169.0.1 198.20.0.1 2606:4700::1111 2000::1 3fff:1000::1 ::ffff:8.8.8.8
`
  .trim()
  .split(/\s+/);
const privateOnes = `
  10.0.0.1 10.255.255.255 100.64.0.1 127.0.0.1 127.255.0.9 172.16.0.1 172.31.255.255 192.168.1.1
  198.18.0.1 ::1 fc00::1 fdff::1 fec0::1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::FFFF:192.168.1.1
  0:0:0:0:0:ffff:a00:1 ::ffff:10.0.0.1%eth0
`
  .trim()
  .split(/\s+/);
/** The last address of each private network that is not above. */
const lastPrivateOnes = `
  100.127.255.255 127.255.255.255 192.168.255.255 198.19.255.255
  fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
`
  .trim()
  .split(/\s+/);
/** Also addresses outside the public internet: translated and shared forms of IPv4, and unassigned ones. */
const reservedOnes = `
  0.0.0.0 0.1.2.3 169.254.169.254 192.0.0.192 192.0.2.1 198.51.100.1 203.0.113.1 224.0.0.1
  255.255.255.255 100.100.100.200 168.63.129.16 :: ::10.0.0.1 fe80::1 fe80::1%eth0 febf::1 ff02::1
  2001:db8::1 2002:7f00:1:: 64:ff9b::7f00:1 fd00:ec2::254 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe
  fd20:ce::254 ::ffff:0:169.254.169.254 ::ffff:0:a00:1 ::ffff:0:8.8.8.8 64:ff9b:2::a00:1 200::1
  1000::1 1fff:ffff::1 4000::1 8000::10.0.0.1 e000::1 fe00::1
`
  .trim()
  .split(/\s+/);
/** The last address of each reserved network. */
const lastReservedOnes = `
  0.255.255.255 169.254.255.255 192.0.0.255 192.0.2.255 192.88.99.255 198.51.100.255 203.0.113.255
  239.255.255.255 ::ffff:ffff 100::ffff:ffff:ffff:ffff 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
  2001:db8:ffff:ffff:ffff:ffff:ffff:ffff 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
  5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff 64:ff9b::ffff:ffff
  64:ff9b:1:ffff:ffff:ffff:ffff:ffff
`
  .trim()
  .split(/\s+/);

describe('the addresses that a setting may point to', () => {
  test.each(publicOnes)('%s is public', (address) =>
    expect(mayConnect('chat.example.com', address, [])).toBe(true),
  );

  test.each([...privateOnes, ...lastPrivateOnes])('%s is private, and must be in the list', (address) => {
    expect(mayConnect('git.internal', address, [])).toBe(false);
    expect(mayConnect('git.internal', address, [host('other.internal')])).toBe(false);
    expect(mayConnect('git.internal', address, [host('git.internal')])).toBe(true);
  });

  test.each([...reservedOnes, ...lastReservedOnes])('%s is reserved: no host name leads to it', (address) => {
    expect(mayConnect('git.internal', address, [])).toBe(false);
    expect(mayConnect('git.internal', address, [host('git.internal')])).toBe(false);
  });

  test('a network in the list allows its addresses and no others', () => {
    const allowed = [network('10.1.0.0', 16), network('fd12::', 16), network('169.254.0.0', 16)];
    const may = (address: string) => mayConnect('x', address, allowed);
    expect(['10.1.2.3', '::ffff:10.1.2.3', 'fd12::9', '169.254.1.1'].map(may)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['10.2.0.1', 'fd13::1', 'fe80::1', '127.0.0.1'].map(may)).toEqual([false, false, false, false]);
  });

  test('a host in the list is compared without case, brackets and a final dot', () => {
    expect(mayConnect('GIT.internal.', '10.0.0.1', [host('git.Internal')])).toBe(true);
    expect(mayConnect('[::1]', '::1', [host('::1')])).toBe(true);
    expect(mayConnect('agit.internal', '10.0.0.1', [host('git.internal')])).toBe(false);
  });

  test('a text that is not an address is refused', () => {
    expect(mayConnect('x', 'localhost', [host('x')])).toBe(false);
    expect(mayConnect('x', '', [])).toBe(false);
  });
});

test('a name with several addresses can be used only if all of them are allowed, because its owner decides which one responds', () => {
  const allows = (...addresses: readonly string[]) => mayConnectToAll('a.example.com', addresses, []);
  expect(allows('8.8.8.8', '2606:4700::1111')).toBe(true);
  expect(allows('8.8.8.8', '10.0.0.1')).toBe(false);
  expect(allows('169.254.169.254', '8.8.8.8')).toBe(false);
  expect(allows()).toBe(false);
  expect(mayConnectToAll('a.example.com', ['8.8.8.8', '10.0.0.1'], [host('a.example.com')])).toBe(true);
});
