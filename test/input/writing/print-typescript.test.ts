import { expect, test } from 'vitest';
import { draftFleet } from '../../../src/input/writing/draft-fleet.ts';
import { printTypescript } from '../../../src/input/writing/print-typescript.ts';
import { givenFleet } from '../../given/fleet.ts';

const printed = (count: number) =>
  printTypescript(
    draftFleet(
      givenFleet(Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `PC-${index}` }))),
      { companyId: '1', antivirus: false },
    ),
  );

test('a script with the hosts of a fleet calls host() for each, so that each has a line', () => {
  expect(printed(2)).toContain("import { defineFleet, host } from 'rampart';");
  expect(printed(10_000).match(/^ {4}host\(\{ id: \d+n, .* \}\),$/gm)).toHaveLength(10_000);
});

test('a script with the hosts of a large fleet has no calls, which would take longer than a script may run', () => {
  const script = printed(10_001);
  expect(script).toContain("import { defineFleet } from 'rampart';");
  expect(script.match(/^ {4}\{ id: \d+n, .* \},$/gm)).toHaveLength(10_001);
});
