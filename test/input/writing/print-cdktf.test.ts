import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type TerraformStack, Testing } from 'cdktf';
import type { Construct } from 'constructs';
import { afterAll, describe, expect, it } from 'vitest';
import { draftFleet } from '../../../src/input/writing/draft-fleet.ts';
import { printCdktf } from '../../../src/input/writing/print-cdktf.ts';
import { givenFleet } from '../../given/fleet.ts';
import { trickyNames } from '../../given/hostile-fleet.ts';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, '.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'print-cdktf-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fleet = givenFleet(
  [
    { id: '9007199254740993', name: 'BER-WEB-01', group: 17, antivirus: 'installed' },
    { id: 5, name: null, group: 18 },
    { id: -6, name: '7-of-${nine}%{x}' },
    { id: 7, name: 'Mu\u0308ller', group: 19 },
    { id: 8, name: 'of ${TfToken[TOKEN.1]}', group: 20 },
  ],
  { 17: 'Berlin', 18: "it's */ `x`\n", 19: 'Mu\u0308nchen', 20: '${TfToken[TOKEN.0]}' },
);

const expected = `import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { ManagedHost, type ManagedHostProps, RampartProvider } from 'rampart/cdktf';

const hosts: readonly (ManagedHostProps & { readonly hostId: string })[] = [
  // "\${TfToken[TOKEN.0]}": 1 host
  // 8 has no name here: its name "of \${TfToken[TOKEN.1]}" looks like a value of CDK for Terraform
  { hostId: '8', group: { groupId: '20' } },

  // Berlin: 1 host
  { hostId: '9007199254740993', name: "BER-WEB-01", group: "Berlin", antivirus: 'installed' },

  // "it's */ \`x\`␊": 1 host
  // 5 has no name here: the service has no name for it
  { hostId: '5', group: "it's */ \`x\`\\n" },

  // "Mu\u0308nchen": 1 host
  // 7 has no name here: its name "Mu\u0308ller" is not in Unicode form NFC, to which Terraform converts every text
  { hostId: '7', group: { groupId: '19' } },

  // In no group: 1 host
  { hostId: '-6', name: "7-of-\${nine}%{x}", group: null },
];

/** The fleet of account 1234567890 as it was imported. */
export class FleetStack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new RampartProvider(this, 'rampart');
    for (const host of hosts) {
      new ManagedHost(this, \`host-\${host.hostId}\`, host).resource.importFrom(host.hostId);
    }
  }
}
`;

/** The printed text next to the constructs of this checkout. */
function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text.replace("'rampart/cdktf'", "'../../src/cdktf/index.ts'"));
  return path;
}

async function synthesized(path: string): Promise<Readonly<Record<string, unknown>>> {
  const { FleetStack } = (await import(pathToFileURL(path).href)) as {
    readonly FleetStack: new (scope: Construct, id: string) => TerraformStack;
  };
  return JSON.parse(Testing.synth(new FleetStack(Testing.app(), 'fleet'), true)) as Record<string, unknown>;
}

describe('a stack of CDKTF', () => {
  it('has every host once, with everything about it that can be written', () => {
    expect(printCdktf(draftFleet(fleet, { companyId: '1234567890', antivirus: true }))).toBe(expected);
  });

  it('leaves out a name that the provider would refuse', () => {
    const long = givenFleet([{ id: 1, name: 'x'.repeat(10_001) }]);
    const text = printCdktf(draftFleet(long, { companyId: null, antivirus: false }));
    expect(text).toContain('has 10001 characters, more than the provider accepts');
    expect(text).toContain("  { hostId: '1', group: null },");
  });

  it('imports each host into its own resource, with its name unchanged', async () => {
    const document = await synthesized(write('small.ts', expected));
    expect(document['import']).toEqual([
      { id: '8', to: 'rampart_host.host-8' },
      { id: '9007199254740993', to: 'rampart_host.host-9007199254740993' },
      { id: '5', to: 'rampart_host.host-5' },
      { id: '7', to: 'rampart_host.host-7' },
      { id: '-6', to: 'rampart_host.host--6' },
    ]);
    expect(document['resource']).toEqual({
      rampart_host: {
        'host-8': { host_id: '8', group_id: '20' },
        'host-9007199254740993': {
          host_id: '9007199254740993',
          name: 'BER-WEB-01',
          group: 'Berlin',
          antivirus: 'installed',
        },
        'host-5': { host_id: '5', group: "it's */ `x`\n" },
        'host-7': { host_id: '7', group_id: '19' },
        'host--6': { host_id: '-6', name: '7-of-$${nine}%%{x}', group_id: '-1' },
      },
    });
  });

  it('type-checks and synthesizes for any names of hosts and groups', async () => {
    const hostile = givenFleet(
      trickyNames.map((name, index) => ({ id: index + 1, name, group: index + 1 })),
      Object.fromEntries(trickyNames.map((name, index) => [index + 1, name])),
    );
    const path = write('hostile.ts', printCdktf(draftFleet(hostile, { companyId: null, antivirus: true })));
    write('empty.ts', printCdktf({ groups: [] }));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['*.ts'] }),
    );
    const { status, stdout } = spawnSync('tsc', ['-p', folder, '--singleThreaded'], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });

    const { resource } = await synthesized(path);
    const written = Object.values((resource as { readonly rampart_host: object }).rampart_host);
    expect(written).toHaveLength(trickyNames.length);
    const names = written.flatMap(({ name }: { readonly name?: string }) => name ?? []);
    const meant = names.map((name) => name.replaceAll('$${', () => '${').replaceAll('%%{', '%{'));
    expect(trickyNames).toEqual(expect.arrayContaining(meant));
    expect(meant.length).toBeGreaterThan(trickyNames.length / 2);
  });
});
