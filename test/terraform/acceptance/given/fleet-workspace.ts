import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../../../src/service/client/system-clock.ts';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
} from '../../../../src/service/emulator/emulator.ts';
import { type FleetParts, fleetState } from '../../../../src/service/emulator/fleet-state.ts';
import { serve } from '../../../../src/service/emulator/serve.ts';
import { providerAddress } from '../../../../src/terraform/provider/address.ts';
import { rampartProvider } from '../../../../src/terraform/provider/rampart-provider.ts';
import { attached } from './attached.ts';
import { createWorkspace, type Finished, type Workspace, workspaceIn } from './terraform-cli.ts';

export const head = `
terraform {
  required_providers {
    rampart = { source = "${providerAddress}" }
  }
}
`;

export const psk = 'a-key-that-nobody-may-see';

/** A fleet behind a socket, and a workspace whose provider manages it. */
export interface FleetWorkspace extends Workspace {
  readonly emulator: Emulator;
  /** The credentials as the environment has them. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the provider keeps the renames of its plans. */
  readonly temporaryFolder: string;
  /** Writes the configuration, its head included, to main.tf. */
  configure(text: string): void;
  apply(...flags: readonly string[]): Promise<Finished>;
  plan(...flags: readonly string[]): Promise<Finished>;
  /** Applies the initial configuration of a test, without an error. */
  begin(text: string): Promise<void>;
  /** The same, and a second plan is empty. */
  settle(text: string, ...flags: readonly string[]): Promise<Finished>;
  nameOf(id: string): string | null | undefined;
  groupOf(id: string): string | undefined;
  /** How many requests of an action were answered with 2xx. */
  callsOf(action: string): number;
  stateText(): string;
  /** A copy of the folder as it is now, without the renames that the provider keeps of its plans. */
  onAnotherMachine(): Workspace;
  /** The same folder under more environment. */
  with(env: Readonly<Record<string, string>>): Workspace;
}

export interface FleetWorkspaceOptions
  extends FleetParts,
    Partial<Pick<EmulatorOptions, 'faults' | 'limits' | 'hooks' | 'switches'>> {
  /** Replaces the provider in this process; the credentials go into its environment. */
  readonly installed?: (env: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

export async function fleetWorkspace(options: FleetWorkspaceOptions): Promise<FleetWorkspace> {
  const { faults, limits, hooks, switches, installed, ...parts } = options;
  const emulator = createEmulator({
    state: fleetState({ ...parts, psk }),
    clock: systemClock,
    ...(faults === undefined ? {} : { faults }),
    ...(limits === undefined ? {} : { limits }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(switches === undefined ? {} : { switches }),
  });
  const served = await serve(emulator);
  onTestFinished(() => served.close());
  const env = {
    RAMPART_BASE_URL: served.url,
    RAMPART_COMPANY_ID: emulator.credentials.companyId,
    RAMPART_PSK: psk,
  };
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'plans-'));
  onTestFinished(() => rmSync(temporaryFolder, { recursive: true, force: true }));
  const provider = rampartProvider({ env, clock: systemClock, pollMs: 20, temporaryFolder });
  const terraformEnv =
    installed === undefined
      ? await attached(providerAddress, provider)
      : { ...installed(env), ...env, TMPDIR: temporaryFolder };
  const workspace = createWorkspace(terraformEnv);
  const hostOf = (id: string) => emulator.state().hosts.find((host) => host.id === id);
  const fleet: FleetWorkspace = {
    ...workspace,
    emulator,
    env,
    temporaryFolder,
    configure: (text) => workspace.write('main.tf', head + text),
    apply: (...flags) => workspace.run('apply', '-auto-approve', '-no-color', ...flags),
    plan: (...flags) => workspace.run('plan', '-detailed-exitcode', '-no-color', ...flags),
    async begin(text) {
      fleet.configure(text);
      expect(await fleet.apply()).toMatchObject({ status: 0, stderr: '' });
    },
    async settle(text, ...flags) {
      fleet.configure(text);
      const applied = await fleet.apply(...flags);
      expect(applied).toMatchObject({ status: 0, stderr: '' });
      expect(await fleet.plan(...flags)).toMatchObject({ status: 0, stderr: '' });
      return applied;
    },
    nameOf: (id) => hostOf(id)?.name,
    groupOf: (id) => hostOf(id)?.groupId,
    callsOf: (action) =>
      emulator.requests.filter((each) => each.action === action && (each.status ?? 500) < 300).length,
    onAnotherMachine() {
      const [folder, temporary] = ['machine-', 'plans-'].map((name) => mkdtempSync(join(tmpdir(), name))) as [
        string,
        string,
      ];
      for (const each of [folder, temporary])
        onTestFinished(() => rmSync(each, { recursive: true, force: true }));
      cpSync(workspace.folder, folder, { recursive: true });
      return workspaceIn(folder, { ...terraformEnv, TMPDIR: temporary });
    },
    with: (more) => workspaceIn(workspace.folder, { ...terraformEnv, ...more }),
    stateText: () => readFileSync(join(workspace.folder, 'terraform.tfstate'), 'utf8'),
  };
  return fleet;
}
