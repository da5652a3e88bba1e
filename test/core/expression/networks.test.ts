import { describe, expect, it } from 'vitest';
import { asked, givenSubject } from './given-subject.ts';

const subject = givenSubject();

describe('networks', () => {
  it.each([
    ['"10.20.30.40".inNetwork("10.20.0.0/16")', true],
    ['"10.21.0.1".inNetwork("10.20.0.0/16")', false],
    ['"10.20.30.40".inNetwork("0.0.0.0/0")', true],
    ['"10.20.30.40".inNetwork("10.20.30.40/32")', true],
    ['"192.0.2.1, 10.20.0.9".inNetwork("10.20.0.0/16")', true],
    ['"2001:db8::1".inNetwork("2001:db8::/32")', true],
    ['"2001:db9::1".inNetwork("2001:db8::/32")', false],
    ['"::ffff:10.0.0.1".inNetwork("::ffff:0:0/96")', true],
    ['"10.0.0.1".inNetwork("::/0")', false],
    ['"".inNetwork("10.0.0.0/8")', false],
    ['"010.0.0.1".isAddress()', false],
    ['"1.2.3.256".isAddress()', false],
    ['"1:2:3:4:5:6:7:8".isAddress()', true],
    ['"1::2::3".isAddress()', false],
    ['"1:2:3:4:5:6:7:8:9".isAddress()', false],
    ['"::".isAddress()', true],
    [
      '"10.0.0.1".inNetwork("10.0.0.0/33")',
      'fault: inNetwork("10.0.0.0/33"): this is not a network such as "10.20.0.0/16"',
    ],
    [
      '"10.0.0.1".inNetwork("10.0.0.0")',
      'fault: inNetwork("10.0.0.0"): this is not a network such as "10.20.0.0/16"',
    ],
  ])('%s is %s', (source, is) => {
    expect(asked(source, subject)).toBe(is);
  });
});
