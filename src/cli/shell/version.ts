import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly repository?: { readonly url: string };
  /** A release writes it: the commit of the tag, which contains the Action. */
  readonly actionCommit?: string;
}

export interface OwnPackage {
  readonly version: string;
  /** The name of the Action in workflows, without a version. */
  readonly action?: string;
  readonly actionCommit?: string;
}

/** Rampart's own version: that of the package that contains this file, on its own or in a bundle. */
export function version(): string {
  return ownPackage().version;
}

export function ownPackage(): OwnPackage {
  const found = packageIn(packageFolder() ?? '');
  return found === undefined ? { version: 'unknown' } : describe(found);
}

/** The folder of Rampart's own package, if this file is in one. */
export function packageFolder(): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (packageIn(folder)?.name === 'rampart') return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function describe({ version, repository, actionCommit }: PackageFile): OwnPackage {
  const path = URL.parse(repository?.url.replace(/^git\+/, '') ?? '')?.pathname;
  const action = path?.slice(1).replace(/\.git$/, '');
  return {
    version,
    // Without a helper, whose module `--version` would load.
    ...(action === undefined ? {} : { action }),
    ...(actionCommit === undefined ? {} : { actionCommit }),
  };
}

function packageIn(folder: string): PackageFile | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
  } catch {
    return undefined;
  }
}
