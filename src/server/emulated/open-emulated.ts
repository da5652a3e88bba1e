import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../core/lib/surroundings.ts';
import type { Account } from '../../core/model/account.ts';
import { type GroupId, type HostId, type Observed, observe } from '../../core/model/observed.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { makeFolder } from '../../run/state/files/replace-file.ts';
import { createEmulatedAccounts } from '../../service/emulator/accounts.ts';
import type { EmulatorCredentials } from '../../service/emulator/credentials.ts';
import { type Servable, type Served, serve } from '../../service/emulator/serve.ts';
import { type EmulatedFleet, emulatedFleets } from './emulated-fleets.ts';

export interface LeftFleet {
  readonly account: Account;
  readonly observed: Observed;
}

export interface EmulatedAccountsService {
  readonly url: string;
  /** The accounts that are paused in the example. */
  readonly paused: readonly string[];
  /** The fleets as the last runs left them, so that drift shows who changed what. */
  readonly left: readonly LeftFleet[];
  close(): Promise<void>;
}

/** Serves the emulated accounts on this machine, and writes their project to a folder. */
export async function openEmulatedAccounts(
  folder: string,
  clock: Clock,
): Promise<Result<EmulatedAccountsService>> {
  const fleets = emulatedFleets(clock.now());
  const emulated = createEmulatedAccounts(
    fleets.map(({ state, service }) => ({ ...service, clock, recordRequests: false, state })),
  );
  if (!emulated.ok) return emulated;
  const { credentials } = emulated.value;
  writeEmulatedProject(
    folder,
    fleets.map((fleet, at) => ({ ...fleet, credentials: credentials[at] as EmulatorCredentials })),
  );
  const served = await serveAgain(emulated.value, join(folder, 'service-port'));
  return ok({
    url: served.url,
    paused: fleets.flatMap(({ name, story }) => (story === 'paused' ? [name] : [])),
    left: fleets.map((fleet) => ({
      account: { companyId: fleet.state.companyId, service: served.url },
      observed: leftFleet(fleet, clock.now()),
    })),
    close: () => served.close(),
  });
}

/**
 * At the port of the last start, which is in a file: accounts at another address would belong to another tenant, and
 * nobody could undo their runs. At a free port if a program has taken it.
 */
async function serveAgain(service: Servable, file: string): Promise<Served> {
  const [known] = existsSync(file) ? (/^\d{1,5}$/.exec(readFileSync(file, 'utf8').trim()) ?? []) : [];
  const port = Number(known ?? 0);
  const served = await serve(service, { port: port > 65_535 ? 0 : port }).catch((error: unknown) => {
    if (port === 0) throw error;
    return serve(service);
  });
  if (served.port !== port) writeFileSync(file, `${served.port}\n`, { mode: 0o600 });
  return served;
}

/** A day ago, before people changed the fleet. */
function leftFleet({ before, state }: EmulatedFleet, now: number): Observed {
  const takenAt = new Date(now - 86_400_000).toISOString();
  return observe({
    takenAt,
    lists: [{ list: 'hosts-with-groups', at: takenAt }],
    groups: state.groups.map(({ id, name }) => ({ id: id as GroupId, name })),
    hosts: before.map(({ id, name, groupId, online, stateChangedAt }) => ({
      id: id as HostId,
      name,
      groupId: groupId as GroupId,
      online,
      stateChangedAt,
    })),
    unreadable: [],
  });
}

/**
 * Writes rampart.config.yaml, the desired state of each account, and its key. Existing files are kept, because somebody
 * may have edited them; keys and the address change with each start.
 */
function writeEmulatedProject(
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
