import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { draftFleet } from '../../../src/input/writing/draft-fleet.ts';
import { hclLabel, hclText } from '../../../src/input/writing/hcl-text.ts';
import { printHcl } from '../../../src/input/writing/print-hcl.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';
import { hostileFleets, trickyNames } from '../../given/hostile-fleet.ts';
import { hostileName } from '../../given/hostile-names.ts';

describe('HCL', () => {
  it('imports each host into its own resource', () => {
    const fleet = givenFleet(
      [
        { id: '9007199254740993', name: 'BER-WEB-01', group: 17, antivirus: 'installed' },
        { id: 5, name: null, group: 18 },
        { id: -6, name: '7-of-${nine}' },
      ],
      { 17: 'Berlin', 18: 'Berlin' },
    );
    expect(
      printHcl(draftFleet(fleet, { companyId: '1234567890', antivirus: true })),
    ).toBe(`# The fleet of account 1234567890

# Berlin: 1 host

import {
  to = rampart_host.ber_web_01_9007199254740993
  id = "9007199254740993"
}

resource "rampart_host" "ber_web_01_9007199254740993" {
  host_id   = "9007199254740993"
  name      = "BER-WEB-01"
  group_id  = "17"
  antivirus = "installed"
}

# Berlin: 1 host

# 5 has no name here: the service has no name for it
import {
  to = rampart_host.host_5
  id = "5"
}

resource "rampart_host" "host_5" {
  host_id  = "5"
  group_id = "18"
}

# In no group: 1 host

import {
  to = rampart_host.host_7_of_nine_minus6
  id = "-6"
}

resource "rampart_host" "host_7_of_nine_minus6" {
  host_id  = "-6"
  name     = "7-of-$\${nine}"
  group_id = "-1"
}
`);
  });

  it('leaves out a name that Terraform would change', () => {
    const fleet = givenFleet([{ id: 1, name: 'Mu\u0308ller', group: 17 }], { 17: 'Mu\u0308nchen' });
    const text = printHcl(draftFleet(fleet, { companyId: null, antivirus: false }));
    expect(text).toContain('# 1 has no name here: its name "Mu\u0308ller" is not in Unicode form NFC');
    expect(text).toContain('  group_id = "17"');
    expect(text).not.toMatch(/^ {2}name/m);
  });

  const texts: readonly (readonly [string, string])[] = [
    ['plain', '"plain"'],
    ['${a} $ {b} $${c}', '"$${a} $ {b} $$${c}"'],
    ['%{ if x }', '"%%{ if x }"'],
    ['"\\', '"\\"\\\\"'],
    ['a\nb\r\tc', '"a\\nb\\r\\tc"'],
    ['\u0000\u202e🎉\u{e0041}', '"\\u0000\\u202e🎉\\U000e0041"'],
  ];
  for (const [text, literal] of texts) {
    it(`writes ${JSON.stringify(text)} as ${literal}`, () => expect(hclText(text)).toBe(literal));
  }

  it('keeps every text on its line, and evaluates nothing in it', () => {
    fc.assert(
      fc.property(fc.oneof(hostileName, fc.constantFrom(...trickyNames)), (name) => {
        const literal = hclText(name);
        expect(literal).toMatch(/^"(?:[^"\\\p{Cc}\p{Cf}]|\\["\\nrt]|\\u[\da-f]{4}|\\U[\da-f]{8})*"$/u);
        expect(literal.replaceAll(/\$\$\{|%%\{/g, '')).not.toMatch(/[$%]\{/);
      }),
    );
  });

  it('gives every host its own label, which is an identifier', () => {
    fc.assert(
      fc.property(hostileFleets, (fleet) => {
        const { groups } = draftFleet(fleet, { companyId: null, antivirus: false });
        const labels = groups.flatMap(({ hosts }) => hosts.map(hclLabel));
        expect(new Set(labels).size).toBe(fleet.count);
        for (const label of labels) expect(label).toMatch(/^[a-z][a-z0-9_]*$/);
      }),
    );
    expect(hclLabel({ id: hostId(5), current: '__Ünï  x__', antivirus: false })).toBe('n_x_5');
  });
});
