import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connected, givenService, workplace } from '../given/command-line.ts';

const fleet = {
  groups: [
    { id: '17', name: 'Berlin' },
    { id: '18', name: 'Lisbon' },
  ],
  hosts: [
    { id: '1', name: 'ONE', groupId: '17' },
    { id: '2', name: 'TWO', groupId: '17' },
    { id: '3', name: 'THREE', groupId: '17' },
    { id: '4', name: 'FOUR', groupId: '17' },
  ],
};

const file = `version: 1
hosts:
  # The front desk.
  - id: 1
    name: ONE   # agreed with Ana
    group: Berlin
  - { id: 2, name: TWO, group: Berlin }   # spare
  - id: 3
    name: THREE
  # Retires in May.
  - id: 4
    name: FOUR
rules:
  - name: servers
    when: host.name.startsWith("SRV")
    group: Berlin
`;

/** What people did in the service: rename 1, move 2, rename 3, delete 4. */
const byHand = `version: 1
policy:
  limits: { delete: 100%, rename: 100% }
hosts:
  - { id: 1, name: "ONE: reception" }
  - { id: 2, group: Lisbon }
  - { id: 3, name: DREI }
  - { id: 4, ensure: absent }
`;

async function given(text = file) {
  const place = await connected(fleet, {}, { 'fleet.yaml': text, 'by-hand.yaml': byHand });
  expect((await place.rampart('hosts snapshot --out before.json')).code).toBe(0);
  expect(await place.rampart('apply -f by-hand.yaml --auto-approve')).toExit(0);
  const adopt = (...argv: readonly string[]) =>
    place.rampart(['import', 'drift', '-f', 'fleet.yaml', '--since', 'before.json', ...argv]);
  const written = () => readFile(join(place.folder, 'fleet.yaml'), 'utf8');
  const plan = () => place.rampart('plan -f fleet.yaml --detailed-exitcode');
  return { ...place, adopt, written, plan };
}

describe('import drift', () => {
  it('writes names and groups, removes the entries of deleted hosts, and keeps comments', async () => {
    const { adopt, written, plan } = await given();
    expect(await adopt()).toMatchObject({ code: 0, out: 'fleet.yaml: adopted 4 changes\n' });
    expect(await written()).toBe(
      file
        .replace('name: ONE   # agreed', 'name: "ONE: reception"   # agreed')
        .replace('name: TWO, group: Berlin', 'name: TWO, group: Lisbon')
        .replace('name: THREE', 'name: DREI')
        .replace('  - id: 4\n    name: FOUR\n', ''),
    );
    expect((await plan()).code).toBe(0);
  });

  it('removes no entries because hosts are missing from a list that may be incomplete', async () => {
    const text = file.replace('hosts:', 'policy:\n  limits: { missing: 0 }\nhosts:');
    const { adopt, written } = await given(text);
    const { code, out, err } = await adopt();
    expect({ code, out, file: await written() }).toEqual({ code: 3, out: '', file: text });
    expect(err).toContain('the list may be incomplete');
    await adopt('4');
    expect(await written()).toBe(text.replace('  - id: 4\n    name: FOUR\n', ''));
  });

  it('shows a patch and writes nothing with --dry-run', async () => {
    const { adopt, written } = await given();
    const ran = await adopt('--dry-run');
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('--- fleet.yaml\n+++ fleet.yaml\n') });
    expect(ran.out).toContain('-    name: THREE\n+    name: DREI\n');
    expect(await written()).toBe(file);
  });

  it('writes only the hosts that it is given, by id, name or expression', async () => {
    const { adopt, written } = await given();
    expect((await adopt('2', 'DREI')).out).toBe('fleet.yaml: adopted 2 changes\n');
    const text = await written();
    expect(text).toContain('name: ONE   # agreed');
    expect(text).toContain('name: TWO, group: Lisbon');
    expect(text).toContain('name: DREI');
    expect((await adopt('host.name.startsWith("ONE")')).out).toBe('fleet.yaml: adopted 1 change\n');
    expect(await written()).toContain('"ONE: reception"');
  });

  it('leaves what a rule requests, and says so', async () => {
    const { adopt, written } = await given(`version: 1
hosts:
  - id: 1
rules:
  - name: desks
    when: host.id == 1
    rename: ONE
`);
    const before = await written();
    const ran = await adopt();
    expect(ran).toMatchObject({ code: 0, err: expect.stringContaining('warning[drift-not-adopted]') });
    expect(ran.err).toContain('the name of "ONE: reception" (1) was not adopted');
    expect(await written()).toBe(before);
    expect(await adopt('1')).toMatchObject({ code: 0, out: 'fleet.yaml: adopted 1 change\n' });
    expect(await written()).toBe(before.replace('- id: 1\n', '- id: 1\n    name: "ONE: reception"\n'));
  });

  it('adds an entry that overrides a rule where the last entry is removed', async () => {
    const { adopt, written, plan } = await given(`version: 1
hosts:
  - { id: 2, name: TWO }
  - { id: 4, name: FOUR }
rules:
  - { name: desks, when: host.id == 1, rename: ONE }
`);
    expect((await adopt('2')).out).toBe('There was nothing to adopt.\n');
    expect(await adopt('1', '4')).toMatchObject({ code: 0 });
    expect(await written()).toContain(
      'hosts:\n  - { id: 2, name: TWO }\n  - { id: 1, name: "ONE: reception" }\nrules:\n',
    );
    expect((await plan()).code).toBe(0);
  });

  it('refuses a host that nobody has', async () => {
    const { adopt, written } = await given();
    expect((await adopt('NOBODY')).code).toBe(3);
    expect(await written()).toBe(file);
  });
});

describe('after an undo', () => {
  async function undone(text: string, later = text) {
    const place = await workplace();
    const { env } = await givenService(fleet);
    await place.write('fleet.yaml', text);
    expect((await place.rampart('apply --auto-approve', { env })).code).toBe(0);
    await place.write('fleet.yaml', later);
    return { ...place, env, ran: await place.rampart('undo --auto-approve', { env }) };
  }
  const change = 'version: 1\nhosts:\n  - { id: 1, name: UNO }   # reception\n  - { id: 2, group: Lisbon }\n';

  it('a patch of the entries is shown that keeps the next apply from doing it again', async () => {
    const { rampart, env, ran, folder } = await undone(change);
    expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 0 });
    expect(ran.out).toContain('The desired state still requests the undone changes');
    expect(ran.out).toContain(
      '-  - { id: 1, name: UNO }   # reception\n+  - { id: 1, name: ONE }   # reception\n',
    );
    expect(ran.err).toContain('Write it with: rampart import drift 1 2');
    expect((await rampart('import drift 1 2', { env })).code).toBe(0);
    expect((await rampart('plan --detailed-exitcode', { env })).code).toBe(0);
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toContain('{ id: 2, group: Berlin }');
  });

  it('a suggested command names the account of the one that was run', async () => {
    const { folder, rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    const { RAMPART_COMPANY_ID: berlin = '', ...rest } = env;
    await write('fleet.yaml', change);
    await write(
      'rampart.config.yaml',
      `defaults: { files: [fleet.yaml], mode: correct }\naccounts:\n  berlin: { companyId: '${berlin}' }\n  boston: { companyId: '2' }\n`,
    );
    const run = (...argv: readonly string[]) => rampart([...argv, '--account', 'berlin'], { env: rest });
    expect((await run('plan', '--out', 'plan.json')).err).toContain(
      'rampart apply plan.json --account berlin\n',
    );
    expect((await run('apply', 'plan.json')).code).toBe(0);
    const undone = await run('undo', '--auto-approve');
    expect(undone.err).toContain('rampart import drift 1 2 --account berlin\n');
    const imported = await run('import', '--out', join(folder, 'now.yaml'));
    expect(imported.err).toMatch(/rampart plan -f \S+now\.yaml --account berlin\n/);
  });

  it('prints nothing if the file no longer requests it', async () => {
    const { ran } = await undone(change, 'version: 1\nhosts:\n  - { id: 1, name: ONE }\n');
    expect(ran.out).not.toContain('still requests');
  });

  const rename = '  - { name: all, when: host.name == "ONE", rename: UNO }\n';
  const toLisbon = '  - { name: site, when: host.id < 3, group: Lisbon }\n';
  const rules = `version: 1\nrules:\n${rename}${toLisbon}`;
  it.each([
    [
      'by a new entry',
      rules,
      '+hosts:\n+  - id: 1\n+    name: ONE\n+    group: Berlin\n+  - id: 2\n+    group: Berlin\n',
    ],
    [
      'in the entry of the host, on lines of their own',
      `version: 1\nhosts:\n  - id: 1   # reception\n  - { id: 2, name: TWO }\nrules:\n${rename}${toLisbon}`,
      '@@ -3,0 +4,2 @@\n+    name: ONE\n+    group: Berlin\n@@ -4 +6 @@\n-  - { id: 2, name: TWO }\n+  - { id: 2, name: TWO, group: Berlin }\n',
    ],
    [
      'where an exclusive group expels hosts',
      'version: 1\npolicy: { limits: { move: 100% } }\ngroups:\n  - { group: Berlin, exclusive: true, othersTo: Lisbon }\nhosts:\n  - { id: 4, group: Berlin }\n',
      '+  - { id: 1, group: Berlin }\n',
    ],
  ])('a patch overrides rules %s', async (_, text, patch) => {
    const { rampart, env, ran, folder } = await undone(text);
    expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 0 });
    expect(ran.out).toContain(patch);
    expect(ran.out).not.toContain("can't edit");
    const [, command = ''] = /Write it with: rampart (.*)/.exec(ran.err) ?? [];
    await writeFile(join(folder, 'undo.patch'), ran.out.slice(ran.out.indexOf('--- ')));
    execFileSync('git', ['apply', '-p0', '--unidiff-zero', 'undo.patch'], { cwd: folder });
    const patched = await readFile(join(folder, 'fleet.yaml'), 'utf8');
    expect((await rampart('plan --detailed-exitcode', { env })).code).toBe(0);
    await writeFile(join(folder, 'fleet.yaml'), text);
    expect((await rampart(command.split(' '), { env })).code).toBe(0);
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(patched);
  });

  it('a patch changes the cells of tables, and keeps their form', async () => {
    const text =
      'version: 1\nhostsFrom: [a.csv, b.csv]\nrules:\n  - { name: all, when: host.id == 3, group: Lisbon }\n';
    const place = await connected({
      ...fleet,
      groups: [
        { id: '17', name: 'Berlin; "Mitte"' },
        { id: '18', name: 'Lisbon' },
      ],
      hosts: [...fleet.hosts, { id: '5', name: '=FIVE' }],
    });
    await place.write('fleet.yaml', text);
    const first =
      '\ufeffID;Name;# note;Group\r\n1;"UNO";front desk;Lisbon\r\n2; TWO ;;Lisbon\r\n5;CINCO;;\r\n';
    await place.write('a.csv', first);
    await place.write('b.csv', 'id,name\n3,THREE\n');
    expect((await place.rampart('apply --auto-approve')).code).toBe(0);
    const ran = await place.rampart('undo --auto-approve');
    expect(ran.out).toContain('(a.csv)');
    expect(ran.out).toContain('  fleet.yaml:4:45  host 3: group');
    expect(ran.out).toContain('host 3: group "Berlin; "Mitte"" instead of "Lisbon" (its row');
    const adopted = await place.rampart('import drift 1 2 5');
    expect({ code: adopted.code, out: adopted.out }).toEqual({ code: 0, out: 'a.csv: adopted 4 changes\n' });
    expect(await readFile(join(place.folder, 'a.csv'), 'utf8')).toBe(
      first
        .replace('"UNO";front desk;Lisbon', 'ONE;front desk;"Berlin; ""Mitte"""')
        .replace(' TWO ;;Lisbon', ' TWO ;;"Berlin; ""Mitte"""')
        .replace('CINCO', "'=FIVE"),
    );
    const plan = await place.rampart('plan --exclude 3 --detailed-exitcode');
    expect({ code: plan.code, out: plan.out }).toMatchObject({ code: 0 });
  });

  it('a script gets no patch but the places that request the changes', async () => {
    const script = `export default {
  version: 1,
  hosts: [{ id: 2, group: 'Lisbon' }],
  rules: [{ name: 'all', when: 'host.name == "ONE"', rename: 'UNO' }],
};
`;
    const place = await connected(fleet, {}, { 'fleet.ts': script });
    expect(await place.rampart('apply --auto-approve')).toExit(0);
    const { out } = await place.rampart('undo --auto-approve');
    expect(out).not.toContain('This patch');
    expect(out).toContain("Rampart can't edit what requests 2 changes. Edit it yourself:\n");
    expect(out).toMatch(
      / {2}fleet\.ts:\d+:\d+ \(hosts\[0\]\.group\) {2}host 2: group "Berlin" instead of "Lisbon" \(its entry is in a script\)\n/,
    );
    expect(out).toMatch(
      / {2}fleet\.ts:\d+:\d+ \(rules\[0\]\.rename\) {2}host 1: name "ONE" instead of "UNO" \(a script requests it\)\n/,
    );
    expect(out).toContain('    or add an entry, which overrides rules: { id: 1, name: ONE }\n');
  });

  it('JSON stays one stream of events', async () => {
    const { rampart, env } = await undone(change);
    expect(await rampart('apply --auto-approve --json', { env })).toExit(0);
    const again = await rampart('undo --auto-approve --json', { env });
    for (const line of again.out.trim().split('\n')) JSON.parse(line);
  });
});
