export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  /** Its files come in the archive of another package. */
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

const inner = 'node_modules/';

/**
 * The gaps of a lock file: the packages for other platforms that npm left out, because the registry of the day did not
 * have them, and the paths of packages whose content nothing checks. `npm ci` refuses the first and accepts the second.
 * Only dependencies on one version count, because packages depend on their binaries that way.
 */
export function lockGaps(packages: LockedPackages): readonly string[] {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, version]) => /^\d/.test(version) && resolve(packages, path, name)?.version !== version)
      .map(([name, version]) => `${name}@${version}`),
  );
  return [...missing, ...withoutIntegrity(packages)];
}

/** An archive is checked as a whole, with the packages in it. */
export function withoutIntegrity(packages: LockedPackages): readonly string[] {
  return Object.entries(packages).flatMap(([path, { integrity = '', inBundle = false }]) =>
    path === '' || inBundle || integrity.startsWith('sha512-') ? [] : [path],
  );
}

/** As Node finds a package: next to the importing one, then in the folders above. */
function resolve(packages: LockedPackages, from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(inner) - 1))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}${inner}${name}`];
    if (found !== undefined || folder === '') return found;
  }
}
