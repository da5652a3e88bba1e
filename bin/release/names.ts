import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Names {
  /** The npm package. */
  readonly package: string;
  readonly version: string;
  /** The address of the repository, without `.git`. */
  readonly repository: string;
  /** The address of a file of this version ends with its path. */
  readonly files: string;
  /** What a workflow calls the Action by, without a version. */
  readonly action: string;
  readonly image: string;
  /** The commit that contains the Action: that of the release tag. `rampart init` writes it into workflows. */
  readonly actionCommit?: string;
}

/** Adds the commit of the Action to the package.json in this folder, if the release knows it. */
export function nameActionCommit(folder: string, { actionCommit }: Names): void {
  if (actionCommit === undefined) return;
  const file = join(folder, 'package.json');
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...(content as object), actionCommit }, null, 2)}\n`);
}

/** All public names, from the `name`, `version` and `repository` of package.json. */
export function releaseNames(env: NodeJS.ProcessEnv = process.env): Names {
  const actionCommit = env['RAMPART_ACTION_COMMIT'] ?? '';
  if (actionCommit !== '' && !/^[0-9a-f]{40}$/.test(actionCommit))
    throw new Error('RAMPART_ACTION_COMMIT must be the 40 hexadecimal digits of a commit');
  const { name, version, repository } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
  ) as {
    readonly name: string;
    readonly version: string;
    readonly repository: { readonly url: string };
  };
  const address = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const path = new URL(address).pathname.slice(1);
  return {
    package: name,
    version,
    repository: address,
    files: `${address}/blob/v${version}/`,
    action: path,
    image: `ghcr.io/${path.toLowerCase()}`,
    ...(actionCommit === '' ? {} : { actionCommit }),
  };
}
