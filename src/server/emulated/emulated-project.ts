import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../run/state/files/make-folder.ts';
import type { EmulatorCredentials } from '../../service/emulator/credentials.ts';
import type { EmulatedFleet } from './emulated-fleets.ts';

/**
 * Writes rampart.config.yaml, the desired state of each account, and its key. Existing files are kept, because somebody
 * may have edited them; keys and the address change with each start.
 */
export function writeEmulatedProject(
  folder: string,
  fleets: readonly (EmulatedFleet & { readonly credentials: EmulatorCredentials })[],
): void {
  const files: Record<string, string> = {
    'rampart.config.yaml': configText(fleets),
    'shared/names.yaml': namesText,
    'shared/antivirus.yaml': antivirusText,
    'shared/retired.yaml': retiredText,
  };
  for (const fleet of fleets) files[`accounts/${fleet.name}.yaml`] = fleetText(fleet);
  for (const [path, text] of Object.entries(files))
    write(join(folder, path), text, { mode: 0o644, flag: 'wx' });
  for (const { name, credentials } of fleets)
    write(join(folder, 'keys', name), `${credentials.psk}\n`, { mode: 0o600, flag: 'w' });
}

function write(path: string, text: string, options: { readonly mode: number; readonly flag: string }): void {
  makeFolder(dirname(path), 0o700);
  try {
    writeFileSync(path, text, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function configText(fleets: readonly EmulatedFleet[]): string {
  const accounts = fleets.map(({ name, mode, story, labels, state }) => {
    const { region, tier, site } = labels;
    const files = filesOf(story);
    return [
      `  ${name}:`,
      `    companyId: '${state.companyId}'`,
      `    labels: { region: ${region}, tier: ${tier}, site: ${site} }`,
      `    mode: ${mode}`,
      ...(files.length === 0 ? [] : [`    files: [${files.join(', ')}]`]),
      '',
    ].join('\n');
  });
  return `# An example. The accounts are emulated in the process of "rampart server --emulator".
defaults:
  key: { file: 'keys/{name}' }
  files: [shared/names.yaml, 'accounts/{name}.yaml']
  limits: { delete: 10%, rename: 50% }
server:
  cadence: 1m
  approvals: { required: 1, expireAfter: 24h }
  metrics: { label: region }
accounts:
${accounts.join('')}`;
}

function filesOf(story: EmulatedFleet['story']): readonly string[] {
  switch (story) {
    case 'in-progress':
    case 'in-doubt':
      return ['shared/antivirus.yaml'];
    case 'over-limit':
      return ['shared/retired.yaml'];
    default:
      return [];
  }
}

function fleetText({ name, desired }: EmulatedFleet): string {
  const hosts = desired.map(
    ({ id, name: wanted, group }) => `  - { id: ${id}, name: ${wanted}, group: ${group} }`,
  );
  return `# The hosts of ${name}.\nversion: 1\nhosts:\n${hosts.join('\n')}\n`;
}

const namesText = `# Rules for all accounts.
version: 1
rules:
  - name: factory names
    when: host.hostName.startsWith("DESKTOP-")
    rename: "\${account.labels.site}-LT-\${host.hostName.substring(8)}"
    group: Laptops
`;

const antivirusText = `version: 1
rules:
  - name: anti-virus on kiosks
    when: host.group == "Kiosks" && host.online
    antivirus: installed
`;

const retiredText = `version: 1
rules:
  - name: retired computers
    when: host.name.startsWith("OLD-")
    ensure: absent
`;
