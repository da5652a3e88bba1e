import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { type Ran, workplace } from '../given/command-line.ts';

const fleet = `version: 1
hosts:
  - { id: 1, name: BER-01 }
  - { id: 2, ensure: absent }
  - { id: 3, group: Berlin, antivirus: installed }
policy:
  limits: { delete: 5 }
  deny:
    - name: no-online-deletes
      when: change.kind == "delete" && host.online
      message: online hosts are never deleted
  warn:
    - { name: renames, when: 'change.kind == "rename"', message: look twice }
`;

const seed = `observed:
  groups: [{ id: 17, name: Berlin }]
  hosts:
    - { id: 1, name: PC-1 }
    - { id: 2, name: PC-2, group: Berlin }
    - { id: 3, name: PC-3 }
    - { id: 4, name: PC-4 }
now: 2026-11-21T09:00:00Z
`;

const everything = `      changes:
        - { host: PC-1, rename: BER-01 }
        - { host: 2, delete: true }
        - { host: PC-3, move: Berlin, antivirus: true }
`;

/** A case with this under `expect`. */
function caseOf(expectation: string): string {
  return `${seed}cases:\n  - name: the case\n    expect:\n${expectation}`;
}

const given = (testFile: string, desired = fleet) =>
  workplace({ 'fleet.yaml': desired, 'a.rampart-test.yaml': testFile });

async function run(testFile: string, desired = fleet): Promise<Ran> {
  return (await given(testFile, desired)).rampart(['test']);
}

/** The lines about differences. */
function differences({ out }: Ran): readonly string[] {
  return out.split('\n').flatMap((line) => /^ {6}([-+!] .*)$/.exec(line)?.[1] ?? []);
}

test.each([
  ['with every change, in any order', everything],
  ['with some changes among others', '      includes: [{ host: 3, move: Berlin }]\n'],
  ['with changes to any value', '      includes: [{ host: PC-1, rename: true }, { host: 3, move: true }]\n'],
  ['with absent changes', '      never: [{ host: PC-4 }, { host: PC-1, delete: true }, { move: null }]\n'],
  ['refused by a policy, named', '      refused: [no-online-deletes]\n      exit: 6\n'],
  ['refused with a code', '      refused: [denied]\n'],
  ['with warnings', '      warnings: [renames]\n'],
  ['with counts', '      summary: { rename: 1, delete: 1, unmanaged: 1, awaitingEnrollment: 0 }\n'],
])('a case passes %s', async (_what, expectation) => {
  const ran = await run(caseOf(expectation));
  expect(ran).toEqual({ code: 0, out: 'a.rampart-test.yaml\n  ✓ the case\n\n1 case passed\n', err: '' });
});

describe('a case fails', () => {
  test.each([
    [
      'where a change is missing',
      '      includes: [{ host: PC-4, rename: X, move: Berlin, antivirus: true, delete: true }]\n',
      [
        '- rename "PC-4" to "X" (is not in the plan)',
        '- move "PC-4" to "Berlin" (is not in the plan)',
        '- install the anti-virus on "PC-4" (is not in the plan)',
        '- delete "PC-4" (is not in the plan)',
      ],
    ],
    [
      'where a change is more than was expected',
      '      changes: [{ host: PC-1, rename: true }]\n',
      [
        '+ move "PC-3" (3) to "Berlin" (was not expected)',
        '+ install the anti-virus on "PC-3" (3) (was not expected)',
        '+ delete "PC-2" (2) (was not expected)',
      ],
    ],
    [
      'where a change has another value',
      '      includes: [{ host: PC-1, rename: BER-02 }, { host: 3, move: { id: 18 } }, { host: 3, move: null }]\n',
      [
        '- rename "PC-1" to "BER-02" (is not in the plan)',
        '- move host 3 to group 18 (is not in the plan)',
        '- move host 3 out of its group (is not in the plan)',
      ],
    ],
    [
      'where something happens that must not',
      '      never: [{ host: PC-1 }, { delete: true }]\n',
      ['+ rename "PC-1" (1) to "BER-01" (was not expected)', '+ delete "PC-2" (2) (was not expected)'],
    ],
    [
      'where it speaks of hosts and groups that are not there, which could never happen',
      '      never: [{ host: PC-9 }, { host: 9, delete: true }, { move: Berlim }]\n',
      [
        '! the fleet has no host named "PC-9"',
        '! the fleet has no host 9',
        '! the fleet has no group named "Berlim"',
      ],
    ],
    [
      'where the plan is refused, and should not be',
      '      refused: []\n',
      [
        '+ error "denied": online hosts are never deleted: "PC-2" (2) would be deleted (deny "no-online-deletes") (was not expected)',
      ],
    ],
    [
      'where it is refused for something else',
      '      refused: [no-online-deletes, hosts-missing]\n',
      ['- error "hosts-missing" (is not in the plan)'],
    ],
    [
      'where it warns of nothing that was expected',
      '      warnings: []\n',
      [
        '+ warning "policy-warning": look twice: "PC-1" (1) would be renamed to "BER-01" (warn "renames") (was not expected)',
      ],
    ],
    [
      'with other counts and another exit code',
      '      summary: { rename: 2, temporaryRename: 0 }\n      exit: 0\n',
      ['! rename is 1, not 2', '! the exit code is 6, not 0'],
    ],
  ])('%s', async (_what, expectation, lines) => {
    const ran = await run(caseOf(expectation));
    expect(ran).toExit(1, { out: '1 of 1 case failed' });
    expect(differences(ran)).toEqual(lines);
  });

  it('with the place of what was expected, and the nearest name', async () => {
    const { out } = await run(caseOf('      refused:\n        - no-onlin-deletes\n'));
    expect(out).toContain('a.rampart-test.yaml:13:11: did you mean "no-online-deletes"?');
  });

  it("with names that can't harm a terminal", async () => {
    const name = '"\\e[31mPC\\u202e"';
    const text = `observed: { hosts: [{ id: 1, name: ${name} }] }\ncases: [{ name: ${name}, expect: { changes: [] } }]\n`;
    const { out } = await run(text, 'version: 1\nhosts: [{ id: 1, name: BER-01 }]\n');
    expect(out).toContain('✗ ␛[31mPC‹U+202E›');
    expect(out).toContain('+ rename "␛[31mPC‹U+202E›" (1) to "BER-01"');
  });
});

describe('what a case plans', () => {
  it('has a desired state, a time and options of its own', async () => {
    const ran = await run(`${seed}cases:
  - name: inline
    desired: { hosts: [{ id: 4, ensure: absent, deleteAfter: 2027-01-01T00:00:00Z }] }
    expect: { changes: [] }
  - name: inline, later
    desired: { hosts: [{ id: 4, ensure: absent, deleteAfter: 2027-01-01T00:00:00Z }] }
    now: 2027-01-02T00:00:00Z
    expect: { changes: [{ host: 4, delete: true }] }
  - name: beyond a limit
    desired: { hosts: [{ id: 4, ensure: absent }], policy: { limits: { delete: 0 } } }
    expect: { refused: [limit-exceeded], exit: 6 }
  - name: with approval
    desired: { hosts: [{ id: 4, ensure: absent }], policy: { limits: { delete: 0 } } }
    options: { ack: { delete: 1 } }
    expect: { refused: [], exit: 0 }
  - name: strictly
    desired: { hosts: [{ name: NEW }] }
    options: { strict: true }
    expect: { refused: [awaiting-enrollment], exit: 3 }
`);
    expect(ran).toMatchObject({ code: 0, err: '' });
  });

  it('knows custom fields, inventory and the anti-virus', async () => {
    const ran = await run(`observed:
  customFields: [{ id: c1, name: Site, values: [{ id: v1, name: Berlin }] }]
  hosts:
    - id: 1
      name: PC-1
      antivirus: installed
      customFields: { Site: Berlin }
      inventory: { hardware: { serviceTag: 7XK21 } }
desired:
  hosts: []
  rules:
    - name: tags
      when: host.customFields["Site"] == "Berlin" && host.antivirus.installed
      rename: "BER-\${host.inventory.hardware.serviceTag}"
cases:
  - name: a rule reads them
    expect: { changes: [{ host: PC-1, rename: BER-7XK21 }], refused: [] }
`);
    expect(ran).toMatchObject({ code: 0, err: '' });
  });

  it('comes from files beside the test: a seed, a snapshot, several desired states', async () => {
    const place = await given('cases: []\n');
    mkdirSync(join(place.folder, 'tests'));
    await place.write(
      'tests/seed.yaml',
      seed
        .replace('observed:\n', '')
        .replace(/^now.*$/m, '')
        .replaceAll(/^ {2}/gm, ''),
    );
    expect(await place.rampart('hosts snapshot --emulator=tests/seed.yaml --out tests/fleet.json')).toExit(0);
    await place.write('tests/more.yaml', 'version: 1\nhosts: [{ id: 4, name: BER-04 }]\n');
    await place.write(
      'tests/b.rampart-test.yaml',
      `desired: [../fleet.yaml, more.yaml]
cases:
  - { name: seed, observed: seed.yaml, expect: { includes: [{ host: PC-4, rename: BER-04 }] } }
  - { name: snapshot, observed: fleet.json, expect: { includes: [{ host: PC-4, rename: BER-04 }] } }
`,
    );
    expect(await place.rampart('test tests')).toMatchObject({
      code: 0,
      out: 'tests/b.rampart-test.yaml\n  ✓ seed\n  ✓ snapshot\n\n2 cases passed\n',
    });
  });
});

describe('which tests', () => {
  const passing = caseOf('      exit: 6\n');

  it('are those below this folder', async () => {
    const place = await given(passing);
    mkdirSync(join(place.folder, 'deep', '.hidden'), { recursive: true });
    await place.write('deep/b.rampart-test.yml', passing);
    await place.write('deep/.hidden/c.rampart-test.yaml', passing);
    await place.write('deep/other.yaml', 'no test');
    const { out } = await place.rampart('test');
    expect(out).toMatch(/^a\.rampart-test\.yaml\n[^]*\ndeep\/b\.rampart-test\.yml\n[^]*\n2 cases passed\n$/);
  });

  it('are those next to the desired state of -f', async () => {
    const place = await workplace();
    mkdirSync(join(place.folder, 'here'));
    mkdirSync(join(place.folder, 'there'));
    await place.write('there/mine.yaml', fleet);
    await place.write('there/a.rampart-test.yaml', passing);
    const { code, out } = await place.rampart('test -f there/mine.yaml');
    expect({ code, out }).toEqual({
      code: 0,
      out: 'there/a.rampart-test.yaml\n  ✓ the case\n\n1 case passed\n',
    });
  });

  test.each([
    ['there are none', ['test'], 'there are no tests here'],
    ['a folder has none', ['test', 'empty'], 'there are no tests in empty'],
    [
      'a path is not there',
      ['test', 'nowhere.rampart-test.yaml'],
      'error[file-missing]: the file or folder nowhere.rampart-test.yaml does not exist',
    ],
  ])('it is said where %s', async (_what, argv, message) => {
    const place = await workplace();
    mkdirSync(join(place.folder, 'empty'));
    expect(await place.rampart(argv)).toExit(3, message);
  });
});

it('is JSON with --json', async () => {
  const place = await given(caseOf('      summary: { rename: 1, delete: 2 }\n'));
  const { code, out } = await place.rampart('test --json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    format_version: '1.0',
    passed: 0,
    failed: 1,
    cases: [
      {
        file: 'a.rampart-test.yaml',
        line: 10,
        name: 'the case',
        passed: false,
        differences: [
          { kind: 'wrong', text: 'delete is 1, not 2', file: 'a.rampart-test.yaml', line: 12, col: 37 },
        ],
      },
    ],
  });
});

test.each([
  ['an empty file', '', /\[file-empty\].*\n.*a\.rampart-test\.yaml:1:1/],
  ['no cases', seed, /\[missing-key\]: the file has no cases/],
  ['an empty list of cases', 'cases: []\n', /\[invalid-value\]: the list of cases is empty\n.*:1:8/],
  ['cases that are no list', 'cases: { name: x }\n', /"cases" must be a list, not a mapping\n.*:1:8/],
  ['a case that is text', 'cases: [x]\n', /a case must be a mapping, not text\n.*:1:9/],
  ['no fleet', 'cases: [{ name: x, expect: { exit: 0 } }]\n', /the case has no fleet\n.*:1:11/],
  ['no name', `${seed}cases: [{ expect: { exit: 0 } }]\n`, /a case needs "name"\n.*:9:11/],
  ['nothing expected', `${seed}cases: [{ name: x }]\n`, /a case needs "expect"\n.*:9:11/],
  ['an empty expectation', `${seed}cases: [{ name: x, expect: {} }]\n`, /the case expects nothing\n.*:9:20/],
  ['an unknown key', `${seed}case: []\ncases: []\n`, /unknown key "case"\n[^]*did you mean "cases"/],
  ['an unknown key of a case', `${seed}cases: [{ nam: x }]\n`, /unknown key "nam"\n[^]*did you mean "name"/],
  ['an unknown expectation', caseOf('      refusd: []\n'), /unknown key "refusd"\n[^]*mean "refused"/],
  ['an unknown change', caseOf('      never: [{ renamed: true }]\n'), /unknown key "renamed"\n[^]*"rename"/],
  ['an unknown option', `${seed}options: { strikt: true }\ncases: []\n`, /unknown key "strikt"[^]*"strict"/],
  ['a change of no host', caseOf('      changes: [{ rename: X }]\n'), /a change needs "host"/],
  ['a host without a change', caseOf('      changes: [{ host: X }]\n'), /the change has no expected result/],
  ['a false change', caseOf('      never: [{ delete: false }]\n'), /"delete" can only be true\n[^]*"never"/],
  ['nothing at all under never', caseOf('      never: [{}]\n'), /a change needs "host"/],
  ['an exit code as text', caseOf('      exit: refused\n'), /"exit" must be a whole number, not "refused"/],
  ['a count below 0', caseOf('      summary: { delete: -1 }\n'), /"delete" must be a whole number, not "-1"/],
  ['a time with no zone', 'now: 2026-11-21T09:00:00\ncases: []\n', /"now" is not a time[^]*has no time zone/],
  ['a fleet that is a list', 'observed: []\ncases: []\n', /"observed" must be text, not a list\n.*:1:11/],
  [
    'a fleet with a mistake in it',
    'observed:\n  hosts:\n    - { id: 1, grup: X }\ncases: [{ name: x, expect: { exit: 0 } }]\n',
    /\[seed-invalid\][^]*a\.rampart-test\.yaml:3:16/,
  ],
  [
    'a fleet that is not there',
    'observed: nowhere.json\ncases: [{ name: x, expect: { exit: 0 } }]\n',
    /the file or folder .*nowhere.json does not exist\n.*a\.rampart-test\.yaml:1:11/,
  ],
  [
    'a desired state with a mistake in it',
    `${seed}desired: { hosts: [{ nam: X, id: 1 }] }\ncases: [{ name: x, expect: { exit: 0 } }]\n`,
    /unknown key "nam"\n.*a\.rampart-test\.yaml:9:22/,
  ],
  [
    'a desired state that is not there',
    `${seed}desired: nowhere.yaml\ncases: [{ name: x, expect: { exit: 0 } }]\n`,
    /the file or folder .*nowhere.yaml does not exist/,
  ],
])('a broken test is reported with its place %s', async (_what, text, message) => {
  const { code, out, err } = await run(text);
  expect(err).toMatch(message);
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(err).not.toMatch(/\n\s+at /);
});

describe('a case for an account', () => {
  const shared = `version: 1
rules:
  - name: kiosk names
    when: host.id == 1 && account.labels.region == "eu"
    rename: "\${account.name}-\${host.id}"
`;

  test('reads its name and labels in rules, and each case has its own', async () => {
    const ran = await run(
      `${seed}account: { name: berlin, labels: { region: eu } }
cases:
  - { name: in Europe, expect: { changes: [{ host: PC-1, rename: berlin-1 }] } }
  - { name: elsewhere, account: { labels: { region: us } }, expect: { changes: [] } }
`,
      shared,
    );
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(ran.out).toContain('2 cases passed');
  });

  test('without the account, the rules that read it are refused with a reason', async () => {
    const ran = await run(
      `${seed}cases:\n  - { name: none, expect: { refused: [unknown-account-fact] } }\n`,
      shared,
    );
    expect([ran.code, ran.err]).toEqual([0, '']);
  });

  test.each([
    ['account: 3', '"account" must be a mapping'],
    ['account: { labels: [eu] }', '"labels" must be a mapping'],
    ['account: { lables: {} }', 'unknown key "lables"'],
    ['account: { labels: { region: [eu] } }', 'the label "region" must be'],
  ])('with a mistake has a place: %s', async (line, message) => {
    const ran = await run(`${seed}${line}\ncases:\n  - { name: none, expect: { changes: [] } }\n`, shared);
    expect(ran.code).toBe(3);
    expect(ran.err).toContain(message);
    expect(ran.err).toMatch(/a\.rampart-test\.yaml:9:\d+/);
  });
});
