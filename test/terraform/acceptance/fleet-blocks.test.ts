import { expect } from 'vitest';
import { fleetWorkspace } from './given/fleet-workspace.ts';
import { describeTerraformAndTofu } from './given/terraform-cli.ts';

const parts = {
  groups: [
    { id: '17', name: 'Servers' },
    { id: '18', name: 'Kiosks' },
  ],
  hosts: [
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
    { id: '3', name: 'C', groupId: '18' },
    { id: '4', name: 'D', groupId: '17' },
    { id: '9007199254740993', name: 'OLD' },
    ...Array.from({ length: 20 }, (_, index) => ({ id: `${100 + index}`, name: `X-${index}` })),
  ],
};

const fleetOf = (blocks: string) => `
      resource "rampart_fleet" "all" {
        ${blocks}
      }
      output "counts" { value = rampart_fleet.all.counts }`;

describeTerraformAndTofu('rampart_fleet in nested blocks under the real terraform', (test) => {
  test('hosts, rules, groups and policies are planned and applied, and the next plan is empty', async () => {
    const fleet = await fleetWorkspace(parts);
    const configuration = fleetOf(`
        company_id = "1234567890"
        unmanaged  = "report"
        host {
          id    = "1"
          name  = "B"
          group = "Servers"
        }
        host {
          id   = "2"
          name = "A"
        }
        host {
          id       = "4"
          group_id = "-1"
        }
        host {
          name       = "NEW"
          previously = ["OLD"]
          group_id   = "17"
        }
        host {
          id     = "100"
          ensure = "absent"
        }
        rule {
          name   = "the rest"
          when   = "host.name.startsWith(\\"X-\\")"
          rename = "Y-$\${host.name.substring(2)}"
        }
        group {
          name      = "Kiosks"
          unmanaged = "ignore"
        }
        policy {
          limits {
            delete = "1"
            rename = "100%"
          }
          deny {
            name    = "kiosks stay"
            when    = "change.kind == \\"delete\\" && host.group == \\"Kiosks\\""
            message = "kiosks are never deleted"
          }
        }`);
    fleet.configure(configuration);
    const planned = await fleet.plan();
    expect(planned.stderr).toBe('');
    expect(planned.stdout).toMatch(/"1" += ".*\(host\[0\]\)"/);
    expect(planned.stdout).toMatch(/\(rule\[0\] \(rule the rest\)\)"/);
    expect(await fleet.apply()).toMatchObject({ status: 0 });
    expect(await fleet.plan()).toMatchObject({ status: 0 });
    expect(['1', '2', '9007199254740993', '100', '101'].map(fleet.nameOf)).toEqual([
      'B',
      'A',
      'NEW',
      undefined,
      'Y-1',
    ]);
    expect(['1', '4', '9007199254740993'].map(fleet.groupOf)).toEqual(['17', '-1', '17']);
  });

  test('an error points at the argument, with the terms of the blocks', async () => {
    const fleet = await fleetWorkspace(parts);
    const faults: readonly [string, RegExp, RegExp][] = [
      ['host {\n    id = "1"\n    group = "Server"\n  }', /group = "Server"/, /Servers/],
      ['host {\n    group = "Servers"\n  }', /group = "Servers"/, /A host block needs an id or a name/],
      [
        'host {\n    id = "1"\n    ensure = "absent"\n    delete_after = "soon"\n  }',
        /delete_after = "soon"/,
        /delete_after/,
      ],
      [
        'rule {\n    name = "r"\n    when = "host.nam == 1"\n    antivirus = "installed"\n  }',
        /when = /,
        /nam/,
      ],
      ['policy {\n    limits {\n      delete = "lots"\n    }\n  }', /delete = "lots"/, /can't be "lots"/],
      [
        'host {\n    id = "1"\n    name = "Z"\n    group_id = "17"\n    group = "Servers"\n  }',
        /group_id/,
        /Only one of/,
      ],
    ];
    for (const [blocks, line, words] of faults) {
      fleet.configure(fleetOf(blocks));
      const { status, stderr } = await fleet.plan();
      expect([status, stderr]).toEqual([1, expect.stringMatching(line)]);
      expect(stderr).toMatch(words);
      expect(stderr).not.toContain('rampart_fleet:');
    }
    expect(fleet.emulator.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  test('content and blocks exclude one another, and one of them is needed', async () => {
    const fleet = await fleetWorkspace(parts);
    const host = 'host {\n    id = "1"\n    name = "Z"\n  }';
    for (const blocks of ['', `content = "version: 1"\n${host}`, `file = "x.yaml"\n${host}`]) {
      fleet.configure(fleetOf(blocks));
      expect(await fleet.run('validate', '-no-color')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('content'),
      });
    }
  });

  test('blocks that a loop creates are many hosts, even if their values are known late', async () => {
    const fleet = await fleetWorkspace(parts);
    fleet.configure(`
      resource "terraform_data" "later" { input = "LATE" }
      ${fleetOf(`
        dynamic "host" {
          for_each = range(20)
          content {
            id   = tostring(100 + host.value)
            name = "\${terraform_data.later.output}-\${host.value}"
          }
        }`)}`);
    expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
    expect(fleet.nameOf('119')).toBe('LATE-19');
    expect(await fleet.plan()).toMatchObject({ status: 0 });
  });

  test('an approval is used up with the blocks for which it was given', async () => {
    const fleet = await fleetWorkspace(parts);
    const gone = (more: string) =>
      fleetOf(`
        acks = { delete = 3 }
        rule {
          name   = "gone"
          when   = "host.name.startsWith(\\"DOOM\\")"
          ensure = "absent"
        }
        ${more}`);
    const enroll = (from: number) => {
      for (const id of [from, from + 1, from + 2])
        fleet.emulator.edit({ kind: 'enroll', host: { id: `${id}`, name: `DOOM-${id}` } });
    };
    enroll(1000);
    await fleet.settle(gone(''));
    enroll(2000);
    fleet.configure(gone(''));
    expect(await fleet.plan()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('acks = { delete = 3 }'),
    });
    await fleet.settle(gone('host {\n    id = "1"\n    name = "Z"\n  }'));
    expect(fleet.nameOf('2000')).toBeUndefined();
  });
});
