/**
 * Has the planner prove itself in every fleet of up to six hosts and five names, and in random ones:
 * `node test/reliability/verify-soak.ts [random fleets]`. Prints what must be 0, and the first plan with a flaw.
 */
import fc from 'fast-check';
import { flawsOf } from '../../src/core/plan/verify/verify-plan.ts';
import { givenGroups, reorganizations } from '../given/arbitrary-fleet.ts';
import { givenFleet } from '../given/fleet.ts';
import { givenPlan } from '../given/plan.ts';
import { fleetOf, planOf, smallFleets } from '../given/small-fleets.ts';

const [random = 1_000_000] = process.argv.slice(2).map(Number);
const counts = { exhaustive: 0, random: 0, flawed: 0 };
let first: unknown;

function note(flaws: ReturnType<typeof flawsOf>, what: unknown): void {
  if (flaws.length === 0) return;
  counts.flawed += 1;
  first ??= { flaws, what };
}

for (let hosts = 1; hosts <= 6; hosts += 1) {
  const fleet = fleetOf(hosts, 5);
  for (const wishes of smallFleets(hosts, 5)) {
    for (const deleteFirst of [false, true]) {
      note(flawsOf(planOf(wishes, 5, deleteFirst), fleet), { wishes, deleteFirst });
      counts.exhaustive += 1;
    }
  }
}
const options = fc.record({
  deleteFirst: fc.boolean(),
  skipBlocked: fc.boolean(),
  batchSize: fc.nat(3).map((n) => n + 1),
});
fc.assert(
  fc.property(reorganizations, options, ({ hosts, entries }, given) => {
    const plan = givenPlan({ hosts, entries, groups: givenGroups, options: given });
    note(flawsOf(plan, givenFleet(hosts, givenGroups)), { hosts, entries, given });
    counts.random += 1;
  }),
  { numRuns: random },
);
process.stdout.write(`${JSON.stringify({ ...counts, first })}\n`);
process.exitCode = counts.flawed === 0 ? 0 : 1;
