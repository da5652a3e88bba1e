import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FleetParts } from '../../src/service/emulator/fleet-state.ts';
import { connected, workplace } from '../given/command-line.ts';

const fleet: FleetParts = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: [
    { id: '9007199254740993', name: 'BER-WEB-01' },
    { id: '2', name: 'DESKTOP-8F3K2' },
    { id: '3', name: 'OLD-KIOSK' },
    { id: '4', name: 'SAME' },
    { id: '5', name: 'SAME' },
    { id: '6', name: 'FROM-TABLE' },
  ],
};

const before = `version: 1
hosts:
  - name: BER-WEB-01   # first
    group: Berlin
  - { name: BER-WEB-02, previously: [DESKTOP-8F3K2] }
  - name: OLD-KIOSK
    ensure: absent
  - name: NOT-YET
  - id: 4
`;
const after = `version: 1
hosts:
  - id: 9007199254740993
    name: BER-WEB-01   # first
    group: Berlin
  - { id: 2, name: BER-WEB-02, previously: [DESKTOP-8F3K2] }
  - id: 3
    name: OLD-KIOSK
    ensure: absent
  - name: NOT-YET
  - id: 4
`;

describe('adopt', () => {
  it('writes the ids of hosts into the entries that name them, and changes no plan', async () => {
    const { rampart, folder, emulator } = await connected(fleet, {}, { 'fleet.yaml': before });
    const planned = await rampart('plan --json --ack delete=1');
    expect(await rampart('import ids')).toMatchObject({ code: 0, out: 'fleet.yaml: 3 ids written\n' });
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(after);
    const again = await rampart('plan --json --ack delete=1');
    expect(changesOf(again.out)).toEqual(changesOf(planned.out));
    expect(changesOf(again.out)).toHaveLength(3);
    expect((await rampart('import ids')).out).toBe('No entry needs an id.\n');
    expect(emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('replaces the ids of hosts that were installed again, if their successors are adopted', async () => {
    const { rampart, write, folder } = await workplace();
    const hardware = (serial: string) => `inventory: { hardware: { serviceTag: ${serial} } }`;
    await write(
      'seed.yaml',
      `companyId: 1234567890
hosts:
  - { id: 7, name: DESKTOP-1, ${hardware('5CG0012F7K')} }
  - { id: 8, name: DESKTOP-2, ${hardware('5CG0012F7L')} }
  - { id: 9, name: BER-3, ${hardware('5CG0012F7M')} }
`,
    );
    const desired = (successor: string, ids: readonly [number, number]) => `version: 1
identity: { key: host.inventory.hardware.serviceTag, successor: ${successor} }
policy: { limits: { missing: 100% } }
hosts:
  - { id: ${ids[0]}, key: 5CG0012F7K, name: BER-1 }
  - name: BER-2
    id: ${ids[1]} # replaced
    key: 5cg0012f7l
  - { id: 9, name: BER-3 }
`;
    const emulator = ['--emulator=seed.yaml', '--emulator-state=fleet.state'];
    await rampart(['hosts', 'inventory', 'pull', '--hardware', ...emulator]);
    await write('fleet.yaml', desired('propose', [1, 2]));
    expect((await rampart(['import', 'ids', ...emulator])).out).toBe('No entry needs an id.\n');
    await write('fleet.yaml', desired('adopt', [1, 2]));
    expect(await rampart(['import', 'ids', ...emulator])).toMatchObject({
      code: 0,
      out: 'fleet.yaml: 2 ids written\n',
    });
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(desired('adopt', [7, 8]));
  });

  it('shows what it would write with --dry-run', async () => {
    const { rampart, folder } = await connected(fleet, {}, { 'fleet.yaml': before });
    const { out } = await rampart('import ids --dry-run');
    expect(out).toBe(`--- fleet.yaml
+++ fleet.yaml
@@ -3 +3,2 @@
-  - name: BER-WEB-01   # first
+  - id: 9007199254740993
+    name: BER-WEB-01   # first
@@ -5 +6 @@
-  - { name: BER-WEB-02, previously: [DESKTOP-8F3K2] }
+  - { id: 2, name: BER-WEB-02, previously: [DESKTOP-8F3K2] }
@@ -6 +7,2 @@
-  - name: OLD-KIOSK
+  - id: 3
+    name: OLD-KIOSK
`);
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(before);
  });

  it('shows as JSON which entry means which host', async () => {
    const { rampart } = await connected(fleet, {}, { 'fleet.yaml': before });
    const { out } = await rampart('import ids --json');
    expect(JSON.parse(out).pinned[0]).toEqual({
      file: 'fleet.yaml',
      line: 3,
      id: '9007199254740993',
      name: 'BER-WEB-01',
    });
  });

  it('leaves entries that could mean several hosts, and reports them', async () => {
    const { rampart, write, folder } = await connected(fleet);
    await write('fleet.yaml', 'version: 1\nhosts:\n  - name: SAME\n  - name: OLD-KIOSK\n');
    expect(await rampart('import ids')).toExit(3, 'the entry matches 2 hosts, named "SAME"');
    expect(await readFile(join(folder, 'fleet.yaml'), 'utf8')).toBe(
      'version: 1\nhosts:\n  - name: SAME\n  - id: 3\n    name: OLD-KIOSK\n',
    );
  });

  it('of a saved fleet asks the service for nothing', async () => {
    const { rampart, emulator } = await connected(fleet, {}, { 'fleet.yaml': before });
    await rampart('hosts snapshot --out saved.json');
    const asked = emulator.requests.length;
    expect((await rampart('import ids --observed saved.json')).out).toBe('fleet.yaml: 3 ids written\n');
    expect(emulator.requests).toHaveLength(asked);
  });

  it('edits only YAML: entries of a table or a script are reported', async () => {
    const { rampart, write, folder } = await connected(fleet);
    await mkdir(join(folder, 'fleet'));
    await write('fleet/a.yaml', 'version: 1\nhostsFrom: b.csv\nhosts:\n  - name: OLD-KIOSK\n');
    await write('fleet/b.csv', 'name,group\nFROM-TABLE,Berlin\n');
    const ran = await rampart('import ids');
    expect(ran).toMatchObject({ code: 0, out: 'fleet/a.yaml: 1 id written\n' });
    expect(ran.err).toContain(`the id 6 of "FROM-TABLE" can't be written here`);
    expect(await readFile(join(folder, 'fleet/b.csv'), 'utf8')).toBe('name,group\nFROM-TABLE,Berlin\n');
  });
});

/** The effects of a plan, without their places. */
function changesOf(plan: string): readonly unknown[] {
  const { steps } = JSON.parse(plan) as { readonly steps: readonly unknown[] };
  return steps.map((step) => JSON.stringify(step).replaceAll(/"reason":\{[^}]*\},?/g, ''));
}
