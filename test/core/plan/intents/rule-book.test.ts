import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rule } from '../../../../src/core/model/desired.ts';
import { noFacts } from '../../../../src/core/model/facts.ts';
import type { HostId, ObservedHost } from '../../../../src/core/model/observed.ts';
import { temporaryName } from '../../../../src/core/model/temporary-name.ts';
import { createRuleBook } from '../../../../src/core/plan/intents/rule-book.ts';
import { givenFleet } from '../../../given/fleet.ts';
import { condition, template } from '../../expression/given-subject.ts';

const rules = fc
  .subarray([
    'host.name.startsWith("OLD-")',
    'host.name == "OLD-1" && host.name.endsWith("1")',
    'host.name.startsWith("B") || host.name in ["", "KÖLN"]',
    'host.name.startsWith("B") && int(host.name) == 1',
    'host.name.contains("1")',
  ])
  .map((sources) =>
    sources.map(
      (when, index): Rule => ({
        index,
        name: when,
        when: condition(when),
        rename: template('NEW-${host.name}'),
        antivirus: false,
      }),
    ),
  );

const name = fc.constantFrom('OLD-1', 'OLD-2', 'old-1', 'BER-1', 'B', 'KÖLN', 'A1', '', null);
const temporary = name.map((intended) =>
  temporaryName('rename', '1' as HostId, intended ?? 'C', { taken: new Set<string>() }),
);

test("rules make the same request for a host's index in the list and for the host itself", () => {
  fc.assert(
    fc.property(rules, fc.array(fc.oneof({ weight: 9, arbitrary: name }, temporary)), (given, names) => {
      const observed = givenFleet(names.map((each, index) => ({ id: index + 1, name: each })));
      const [byPlace, byHost] = [0, 1].map(() => createRuleBook(given, observed, noFacts));
      for (const place of names.keys()) {
        const host: ObservedHost = observed.at(place);
        expect(byPlace?.claimsAt(place)).toEqual(byHost?.claimsOn(host));
      }
      expect(byPlace?.faults()).toEqual(byHost?.faults());
      expect(byPlace?.completed()).toEqual(byHost?.completed());
    }),
    { numRuns: 60 },
  );
});
