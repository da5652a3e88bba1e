import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostsOf } from '../../../src/core/model/observed.ts';
import { compare } from '../../../src/core/plan/difference/compare.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { orderChanges } from '../../../src/core/plan/ordering/order-changes.ts';
import { outcomeOf } from '../../../src/core/plan/ordering/outcome.ts';
import { predict } from '../../../src/core/plan/ordering/predict.ts';
import { givenGroups, reorganizations } from '../../given/arbitrary-fleet.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet } from '../../given/fleet.ts';

/** Nobody manages them, and they may hold names that others want. */
const strangers = fc.array(fc.constantFrom('fresh-0', 'fresh-1', 'FRESH-2', 'fresh-5'), { maxLength: 3 });

it('the outcome derived from a change alone equals the outcome of its steps', () => {
  fc.assert(
    fc.property(reorganizations, strangers, fc.boolean(), ({ hosts, entries }, names, antivirus) => {
      const more = names.map((name, index): GivenHost => ({ id: 900 + index, name }));
      const inputs = {
        desired: givenDesired(
          entries.map((entry) => ({ ...entry, ...(antivirus ? { antivirus } : {}) })),
          noLimits,
        ),
        observed: givenFleet([...hosts, ...more], givenGroups),
        account: { companyId: '1', service: 'emulator' },
        now: at,
      };
      const difference = compare(inputs, inputs.observed);
      const outcome = outcomeOf(orderChanges(difference, inputs).blocked);
      const expected = hostsOf(inputs.observed).flatMap((host) => {
        const change = difference.changeOf(host.id);
        const after = change === undefined ? undefined : outcome(change);
        return after === null ? [] : [after ?? host];
      });
      expect(hostsOf(predict(inputs.observed, makePlan(inputs).steps))).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});
