import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Desired } from '../../../src/core/model/desired.ts';
import { hostsOf, type Observed, type ObservedHost, observe } from '../../../src/core/model/observed.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { decodeSource } from '../../../src/input/sources/decode-source.ts';
import { addHosts } from '../../../src/input/writing/add-hosts.ts';
import { draftFleet } from '../../../src/input/writing/draft-fleet.ts';
import { printYaml } from '../../../src/input/writing/fleet-draft.ts';
import { printCsv } from '../../../src/input/writing/print-csv.ts';
import { printHcl } from '../../../src/input/writing/print-hcl.ts';
import { toJsonState } from '../../../src/input/writing/print-json.ts';
import { printTypescript } from '../../../src/input/writing/print-typescript.ts';
import { applyEdits } from '../../../src/input/writing/text-edit.ts';
import { at } from '../../given/fleet.ts';
import { hostileFleets } from '../../given/hostile-fleet.ts';

const companyId = '1234567890';

/** Signs of numbers and verses: Unicode counts them as formats, and they are seen. */
const visibleFormats = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/gu;

function read(text: string, table?: string): Desired {
  const openTable = (file: string) => ok({ file, text: table ?? '' });
  const desired = readDesired([{ file: 'fleet.yaml', text }], { openTable });
  expect(desired.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  if (!desired.ok) throw new Error('unreachable');
  return desired.value;
}

function planOf(desired: Desired, observed: Observed): Plan {
  return makePlan({ desired, observed, account: { companyId, service: 'emulator' }, now: at });
}

/** The group that is missing from the list gives a warning only if it is requested. */
function expectNothingToDo(desired: Desired, observed: Observed): void {
  const { steps, problems } = planOf(desired, observed);
  expect(steps).toEqual([]);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(desired.count).toBe(observed.count);
}

it('an update of a file that claims a part of the fleet makes it claim all hosts, and a plan finds nothing to do', () => {
  fc.assert(
    fc.property(hostileFleets, fc.nat(4095), (observed, chosen) => {
      const order = new Map(hostsOf(observed).map(({ id }, index) => [id, index]));
      const isClaimed = ({ id }: ObservedHost) => ((chosen >> (order.get(id) ?? 0)) & 1) === 1;
      const before = printYaml(draftFleet(observed, { companyId, antivirus: false, includes: isClaimed }));
      const source = decodeSource({ file: 'fleet.yaml', text: before });
      if (!source.ok) throw new Error('not a text');
      const added = draftFleet(observed, {
        companyId,
        antivirus: false,
        includes: (host) => !isClaimed(host),
      });
      const edits = addHosts(source.value, added);
      if (!edits.ok) throw new Error('not editable');
      expectNothingToDo(read(applyEdits(before, edits.value)), observed);
    }),
    { numRuns: 300 },
  );
});

describe('an import writes the current state', () => {
  it('as YAML: planning it is empty, for any fleet', () => {
    fc.assert(
      fc.property(hostileFleets, fc.boolean(), (observed, antivirus) => {
        const text = printYaml(draftFleet(observed, { companyId, antivirus }));
        expectNothingToDo(read(text), observed);
      }),
      { numRuns: 500 },
    );
  });

  it('as JSON', () => {
    fc.assert(
      fc.property(hostileFleets, (observed) => {
        const text = JSON.stringify(toJsonState(draftFleet(observed, { companyId, antivirus: true })));
        expectNothingToDo(read(text), observed);
      }),
    );
  });

  it('as CSV, raw or not', () => {
    fc.assert(
      fc.property(hostileFleets, fc.boolean(), (observed, raw) => {
        const table = printCsv(draftFleet(observed, { companyId, antivirus: true }), { raw });
        expectNothingToDo(read('version: 1\nhostsFrom: fleet.csv\n', table), observed);
      }),
      { numRuns: 300 },
    );
  });

  it('in the same order, regardless of the order of the lists', () => {
    fc.assert(
      fc.property(hostileFleets, (observed) => {
        const turned = observe({
          takenAt: observed.takenAt,
          lists: observed.lists,
          groups: observed.groups.toReversed(),
          hosts: hostsOf(observed).toReversed(),
        });
        const print = (fleet: Observed) => printYaml(draftFleet(fleet, { companyId, antivirus: true }));
        expect(print(turned)).toBe(print(observed));
      }),
    );
  });

  it('with visible characters only, in every form', () => {
    fc.assert(
      fc.property(hostileFleets, (observed) => {
        const draft = draftFleet(observed, { companyId, antivirus: true });
        for (const print of [printYaml, printCsv, printHcl, printTypescript]) {
          const text = print(draft).replaceAll(visibleFormats, '');
          expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
        }
      }),
    );
  });

  it('with YAML lines of a known form only', () => {
    fc.assert(
      fc.property(hostileFleets, (observed) => {
        const text = printYaml(draftFleet(observed, { companyId, antivirus: true }));
        for (const line of text.split('\n')) {
          expect(line).toMatch(
            /^(?:| {2}# .*| {2}- id: -?\d+| {4}(?:name|group): .+| {4}antivirus: installed|version: 1|account: .*|hosts:(?: \[\])?)$/u,
          );
        }
      }),
    );
  });
});
