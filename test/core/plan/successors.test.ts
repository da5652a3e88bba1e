import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../src/core/model/facts.ts';
import { explain } from '../../../src/core/plan/explain.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { hostId } from '../../given/fleet.ts';
import { inputsFor, type MachineGiven, planFor, readFleet } from '../../given/register.ts';

const limits = 'policy: { limits: { missing: 100%, rename: 100% } }';
const yaml = (hosts: string, successor = 'adopt', more = '') => `
identity: { key: host.inventory.hardware.serviceTag, successor: ${successor}${more} }
${limits}
hosts:
${hosts}
`;

const pinned = '  - { id: 1, key: S1, name: BER-1 }';
const fresh: MachineGiven = { id: 9, name: 'DESKTOP-9', serial: 's1' };

function outcome(plan: Plan) {
  const renames = plan.steps.flatMap((step) =>
    step.kind === 'rename' ? [`${step.hostId} -> ${step.to}`] : [],
  );
  const found = plan.problems
    .filter(({ code }) =>
      ['successor', 'missing-host', 'ambiguous-host', 'host-claimed-twice'].includes(code),
    )
    .map(({ code, severity }) => `${severity}: ${code}`);
  return [...renames, ...found];
}

describe('the successor of a deleted host', () => {
  it.each<[string, string, readonly MachineGiven[], readonly string[]]>([
    ['takes its name if it is adopted', yaml(pinned), [fresh], ['9 -> BER-1', 'note: successor']],
    ['is only named if it is proposed', yaml(pinned, 'propose'), [fresh], ['warning: successor']],
    ['is not looked for if it is ignored', yaml(pinned, 'ignore'), [fresh], ['warning: missing-host']],
    [
      'is nobody as long as the host is there',
      yaml(pinned),
      [{ id: 1, name: 'BER-1', serial: 'S1' }, fresh],
      [],
    ],
    [
      'is nobody if two hosts share the key',
      yaml(pinned),
      [fresh, { id: 10, name: 'CLONE', serial: 'S1' }],
      ['warning: successor'],
    ],
    [
      'is nobody if the key is the text of a factory',
      yaml('  - { id: 1, key: To be filled by O.E.M., name: BER-1 }'),
      [{ ...fresh, serial: 'To be filled by O.E.M.' }],
      ['warning: missing-host'],
    ],
    [
      'is nobody if the inventory is older than the limit',
      yaml(pinned, 'adopt', ', maxAge: 2d'),
      [{ ...fresh, readAt: '2026-11-19T08:59:59Z' }],
      ['warning: successor'],
    ],
    [
      'may have inventory as old as the limit',
      yaml(pinned, 'adopt', ', maxAge: 2d'),
      [{ ...fresh, readAt: '2026-11-19T09:00:00Z' }],
      ['9 -> BER-1', 'note: successor'],
    ],
    [
      'is nobody that another entry pins',
      yaml(`${pinned}\n  - { id: 9, name: MUC-9 }`),
      [fresh],
      ['9 -> MUC-9', 'warning: missing-host'],
    ],
    [
      'is nobody if the host should be deleted: its deletion is done',
      yaml('  - { id: 1, key: S1, ensure: absent }'),
      [fresh],
      [],
    ],
    [
      'is nobody for two entries with one key',
      yaml(`${pinned}\n  - { id: 2, key: S1, name: BER-2 }`),
      [fresh],
      ['note: successor', 'note: successor', 'error: host-claimed-twice'],
    ],
  ])('%s', (_, text, machines, expected) => {
    expect(outcome(planFor(text, {}, machines))).toEqual(expected);
  });

  it.each<[string, string, readonly MachineGiven[], string, string]>([
    [
      'adopted',
      yaml(pinned),
      [fresh],
      'host 1, with the intended name "BER-1", is not in the list; "DESKTOP-9" (9) has the key of the entry and takes its place',
      'change the id of the entry to 9, for example with: rampart import ids',
    ],
    [
      'proposed',
      yaml('  - { id: 1, key: S1, group: Berlin }', 'propose'),
      [fresh],
      'host 1 is not in the list; "DESKTOP-9" (9) has the key of the entry and may be the same machine',
      'if it is, change the id of the entry to 9, or set "successor: adopt" under "identity"',
    ],
    [
      'one of two',
      yaml(pinned),
      [fresh, { id: 10, name: 'CLONE', serial: 'S1' }],
      'host 1, with the intended name "BER-1", is not in the list; "DESKTOP-9" (9), "CLONE" (10) share the key of the entry, so none of them takes its place',
      'find out which host is the machine, and change the id of the entry to the id of that host',
    ],
    [
      'unknown because its inventory is old',
      yaml(pinned, 'adopt', ', maxAge: 2d'),
      [{ ...fresh, readAt: '2026-11-19T08:59:59Z' }],
      'host 1, with the intended name "BER-1", is not in the list; "DESKTOP-9" (9) had the key of the entry, but this fact is older than "maxAge" of "identity" allows',
      'read the inventory again: rampart hosts inventory pull',
    ],
  ])('is reported if it is %s, with what to do', (_, text, machines, message, hint) => {
    for (const strict of [false, true]) {
      const { problems } = planFor(text, {}, machines, { strict });
      const found = problems.find(({ code }) => code === 'successor');
      expect(found).toMatchObject({ message, hint, hostIds: ['1', ...machines.map(({ id }) => String(id))] });
      expect(found?.place?.col).toBe(11);
      expect(found?.severity === 'error').toBe(strict && !message.endsWith('and takes its place'));
    }
  });

  it.each([
    [
      'with the age of the list',
      'hardware-inventory',
      '2026-11-19T09:00:00Z',
      ['9 -> BER-1', 'note: successor'],
    ],
    ['not if the list is too old', 'hardware-inventory', '2026-11-19T08:59:59Z', ['warning: successor']],
    [
      'not if the list of another kind is new',
      'system-inventory',
      '2026-11-21T09:00:00Z',
      ['warning: successor'],
    ],
  ] as const)('is judged %s if no record has a time of its own', (_, list, at, expected) => {
    const inputs = inputsFor(yaml(pinned, 'adopt', ', maxAge: 2d'), {}, [fresh]);
    const { inventoryAt: __, ...facts } = inputs.facts ?? noFacts;
    expect(outcome(makePlan({ ...inputs, facts: { ...facts, lists: [{ list, at }] } }))).toEqual(expected);
  });

  it('needs no inventory if the key is in the list of hosts', () => {
    const text = yaml('  - { id: 1, key: DESKTOP-9, name: BER-1 }', 'adopt', ', maxAge: 1h').replace(
      'host.inventory.hardware.serviceTag',
      'host.name',
    );
    const plan = planFor(text, {}, [{ ...fresh, readAt: '2020-01-01T00:00:00Z' }]);
    expect(outcome(plan)).toEqual(['9 -> BER-1', 'note: successor']);
  });

  it('is not found if two hosts have its key and an entry pins one of them', () => {
    const text = yaml(`${pinned}\n  - { id: 10, name: MUC-10 }`);
    const plan = planFor(text, {}, [fresh, { id: 10, name: 'X', serial: 'S1' }]);
    expect(outcome(plan)).toEqual(['10 -> MUC-10', 'warning: missing-host']);
  });

  it.each([
    ['the host', { position: 1, id: hostId(1), why: 'it is null' }],
    ['a host', { position: 1, why: 'it is null' }],
  ])("is nobody if %s can't be read, because the host may still be there", (_, unreadable) => {
    const inputs = inputsFor(yaml(pinned), {}, [fresh]);
    const observed = { ...inputs.observed, unreadable: [unreadable] };
    expect(outcome(makePlan({ ...inputs, observed }))).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/-> BER-1|successor/)]),
    );
  });

  it('does not hide that the list may have ended early', () => {
    const { problems } = planFor(yaml(pinned).replace('missing: 100%', 'missing: 0'), {}, [fresh]);
    expect(problems.map(({ code }) => code)).toContain('hosts-missing');
  });

  it('is shown as matched by its key', () => {
    const inputs = inputsFor(yaml(pinned), {}, [fresh]);
    expect(explain(hostId(9), inputs, { steps: [], problems: [] })?.entry).toMatchObject({ by: 'key' });
  });
});

describe('an entry without an id', () => {
  const entry = yaml('  - { key: S1, name: BER-1 }');
  it.each<[string, readonly MachineGiven[], readonly string[]]>([
    ['is for the host with its key', [fresh], ['9 -> BER-1']],
    ['is not for a machine with its name and another key', [{ id: 8, name: 'BER-1', serial: 'S8' }], []],
    ['is for a host with its name and an unknown key', [{ id: 8, name: 'BER-1' }], []],
    [
      'is for none of two hosts with its key',
      [fresh, { id: 10, name: 'X', serial: 'S1' }],
      ['error: ambiguous-host'],
    ],
  ])('%s', (_, machines, expected) => {
    expect(outcome(planFor(entry, {}, machines))).toEqual(expected);
  });

  it('is for the host with its key, and another machine keeps its name until it gives the name up', () => {
    const plan = planFor(entry, {}, [fresh, { id: 8, name: 'BER-1', serial: 'S8' }]);
    expect(plan.summary).toMatchObject({ awaitingEnrollment: 0, unmanaged: 1 });
    expect(plan.problems).toContainEqual(expect.objectContaining({ code: 'name-conflict' }));
  });

  it('counts a machine with its name and another key as unmanaged', () => {
    const other = planFor(entry, {}, [{ id: 8, name: 'BER-1', serial: 'S8' }]).summary;
    const unknown = planFor(entry, {}, [{ id: 8, name: 'BER-1' }]).summary;
    expect([other.awaitingEnrollment, other.unmanaged]).toEqual([1, 1]);
    expect([unknown.awaitingEnrollment, unknown.unmanaged]).toEqual([0, 0]);
  });
});

describe('a rule with successor', () => {
  const ruled = (successor: string, more = '') => `
tables: [{ name: asset, file: a.csv, key: Serial, join: host.inventory.hardware.serviceTag }]
identity: { key: host.inventory.hardware.serviceTag${more} }
${limits}
rules:
  - { name: names, when: has(asset.Name), rename: '\${asset.Name}', group: Berlin, successor: ${successor} }
`;
  const files = { 'a.csv': 'Serial,Name\nS1,BER-1\nS2,BER-2\n' };
  const acts = (plan: Plan) => [
    ...plan.steps.flatMap((step) =>
      step.kind === 'move' ? step.hosts.map(({ hostId }) => `move ${hostId}`) : [],
    ),
    ...outcome(plan),
  ];

  it.each<[string, string, readonly MachineGiven[], readonly string[]]>([
    ['gives a host with the key the name if it adopts', ruled('adopt'), [fresh], ['move 9', '9 -> BER-1']],
    ['only names the host if it proposes', ruled('propose'), [fresh], ['warning: successor']],
    ['does nothing for the host if it ignores', ruled('ignore'), [fresh], []],
    [
      'swaps the names of two hosts if it proposes, because no machine is gone',
      ruled('propose'),
      [
        { ...fresh, name: 'BER-2' },
        { id: 2, name: 'BER-1', serial: 'S2' },
      ],
      ['move 2', 'move 9', '9 -> BER-1', '2 -> BER-2'],
    ],
    ['moves a host that has its name', ruled('ignore'), [{ ...fresh, name: 'BER-1' }], ['move 9']],
    [
      'leaves the name to the host that has it if two share the key',
      ruled('adopt'),
      [fresh, { id: 10, name: 'BER-1', serial: 'S1' }],
      ['move 10', 'warning: successor'],
    ],
  ])('%s', (_, text, machines, expected) => {
    expect(acts(planFor(text, files, machines))).toEqual(expected);
  });

  it.each<[string, readonly MachineGiven[], string, string]>([
    [
      'no key',
      [{ id: 9, name: 'DESKTOP-9', serial: 'Default string' }],
      'they have no key that identifies a machine',
      'complete the inventory: rampart hosts inventory pull',
    ],
    [
      'a shared key',
      [fresh, { id: 10, name: 'CLONE', serial: 'S1' }],
      'other hosts share their keys',
      'find out which host is the machine, and write an entry with its id',
    ],
    [
      'old facts',
      [{ ...fresh, readAt: '2026-01-01T00:00:00Z' }],
      'the facts with their keys are older than "maxAge" of "identity" allows',
      'read the inventory again: rampart hosts inventory pull',
    ],
  ])('says what to do about %s', (_, machines, why, hint) => {
    const text = ruled('adopt', ', maxAge: 2d')
      .replace('when: has(asset.Name)', 'when: "true"')
      .replace('${asset.Name}', 'N-${host.id}');
    const found = planFor(text, files, machines).problems.find(({ code }) => code === 'successor');
    expect([found?.message.split(': ').at(-1), found?.hint]).toEqual([why, hint]);
    expect(found?.place).toMatchObject({ file: 'fleet.yaml' });
  });

  it('lists the first three names that it does not give', () => {
    const machines = [1, 2, 3, 4].map((id) => ({ id, name: `OLD-${id}`, serial: 'S1' }));
    const text = ruled('adopt').replace('${asset.Name}', 'N-${host.id}');
    const { message = '' } =
      planFor(text, files, machines).problems.find((each) => each.code === 'successor') ?? {};
    expect(message).toContain('which would get "N-1", "N-2", "N-3" and others: ');
  });

  it('reports which host would get which name, and is an error with --strict', () => {
    const { problems } = planFor(ruled('propose'), files, [fresh], { strict: true });
    expect(problems.filter(({ code }) => code === 'successor')).toMatchObject([
      {
        severity: 'error',
        message:
          'rule "names" does nothing for "DESKTOP-9" (9), which would get "BER-1": no host has the name so far, so each may be a machine that was installed again',
        place: { file: 'fleet.yaml' },
        hostIds: ['9'],
      },
    ]);
  });

  it('takes no number for a host that it leaves alone', () => {
    const text = ruled('adopt').replace('${asset.Name}', '${next("BER-", 2)}');
    const hosts = [fresh, { id: 10, name: 'CLONE', serial: 'S1' }, { id: 11, name: 'X', serial: 'S2' }];
    expect(planFor(text, files, hosts).numbers).toEqual([{ prefix: 'BER-', digits: 2, first: 1, last: 1 }]);
  });

  it.each([
    [
      'without identity',
      ruled('adopt').replace(/identity.*/, ''),
      'rule "names" has "successor", and no file has "identity"',
    ],
    ['without rename', ruled('adopt').replace(/rename: '[^']*', /, ''), '"successor" needs "rename"'],
  ])('is refused %s', (_, text, message) => {
    expect(readFleet(text, files).problems.map((each) => each.message)).toContain(message);
  });
});

it('refuses two files with an identity', () => {
  expect(readFleet('identity: { key: host.name }\nhosts: []\n').ok).toBe(true);
  const read = readFleet('identity: { successor: adopt }\nhosts: []\n');
  expect(read.problems.map(({ message }) => message)).toEqual(['"identity" needs "key"']);
});

const soak = process.env['RAMPART_SOAK'] === '1';

describe('random fleets with cloned, missing and old keys', () => {
  const serial = fc.constantFrom('S1', 's1', 'S2', 'S3', '', '0000', undefined);
  const host = fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    serial,
    isOld: fc.boolean(),
  });
  const entry = fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    key: fc.constantFrom('S1', 'S2', 'S3', '0000', 'N/A'),
  });
  const byId = { selector: ({ id }: { readonly id: number }) => id };

  it('adopt a host only if it alone has the key of an entry whose host is missing', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(host, { ...byId, maxLength: 6 }),
        fc.uniqueArray(entry, { ...byId, minLength: 1, maxLength: 4 }),
        (hosts, entries) => {
          const machines = hosts.map((each) => ({
            id: each.id,
            name: `OLD-${each.id}`,
            ...(each.serial === undefined ? {} : { serial: each.serial }),
            ...(each.isOld ? { readAt: '2026-01-01T00:00:00Z' } : {}),
          }));
          const text = entries
            .map(({ id, key }) => `  - { id: ${id}, key: "${key}", name: NEW-${id} }`)
            .join('\n');
          const plan = planFor(yaml(text), {}, machines);
          expect(plan.problems.map(({ code }) => code)).not.toContain('not-settled');
          if (!plan.applicable) return;
          for (const step of plan.steps) {
            if (step.kind !== 'rename') continue;
            const id = Number(step.to.slice('NEW-'.length));
            if (Number(step.hostId) === id) continue;
            const wanted = entries.find((each) => each.id === id)?.key.toLowerCase();
            const having = hosts.filter((each) => each.serial?.toLowerCase() === wanted);
            expect(having).toEqual([expect.objectContaining({ id: Number(step.hostId), isOld: false })]);
            expect(hosts.some((each) => each.id === id)).toBe(false);
            expect(entries.some((each) => each.id === Number(step.hostId))).toBe(false);
            expect(['0000', 'n/a']).not.toContain(wanted);
          }
        },
      ),
      { numRuns: soak ? 10_000 : 60 },
    );
  }, 600_000);

  it('get a name from a rule only for the one host with a certain key', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 9 }), serial, isOld: fc.boolean() }), byId),
        fc.constantFrom('adopt', 'propose', 'ignore'),
        (hosts, successor) => {
          const text = `
identity: { key: host.inventory.hardware.serviceTag }
${limits}
rules: [{ name: names, when: has(host.inventory.hardware.serviceTag), rename: 'N-\${host.inventory.hardware.serviceTag.upper()}', successor: ${successor} }]
`;
          const machines = hosts.map(({ isOld, serial: own, ...each }) => ({
            ...each,
            name: each.id % 3 === 0 ? `N-S${each.id / 3}` : `OLD-${each.id}`,
            ...(own === undefined ? {} : { serial: own }),
            ...(isOld ? { readAt: '2026-01-01T00:00:00Z' } : {}),
          }));
          const plan = planFor(text, {}, machines);
          expect(plan.problems.map(({ code }) => code)).not.toContain('not-settled');
          for (const step of plan.steps) {
            if (step.kind !== 'rename') continue;
            const key = step.to.slice('N-'.length);
            if (!key.startsWith('S')) continue;
            const having = hosts.filter((each) => each.serial?.toUpperCase() === key);
            expect(having).toEqual([expect.objectContaining({ id: Number(step.hostId), isOld: false })]);
            const isVacant = machines.every(({ name }) => name !== step.to);
            expect(successor === 'adopt' || !isVacant).toBe(true);
          }
        },
      ),
      { numRuns: soak ? 10_000 : 60 },
    );
  }, 600_000);
});
