export interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm64',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
  'arm',
];
const inner = 'node_modules/';

/**
 * The packages for other platforms that the lock file leaves out. npm writes only those that the registry of the
 * day had, and `npm ci` refuses a lock file with such a gap. Only dependencies pinned to one version are filled,
 * which is how packages bring their binaries; the platform is read off the name.
 */
export function lockGaps(packages: LockedPackages): LockedPackages {
  const all: Record<string, LockedPackage> = { ...packages };
  const gaps: Record<string, LockedPackage> = {};
  const outermostFirst = Object.keys(packages).sort((a, b) => a.split(inner).length - b.split(inner).length);
  for (const path of outermostFirst) {
    const { optionalDependencies = {}, dev } = all[path] as LockedPackage;
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const found = resolve(all, path, name);
      if (!/^\d/.test(version) || found?.version === version) continue;
      const beside = path.slice(0, path.lastIndexOf(inner)) + inner + name;
      const at = `${inner}${name}` in all ? beside : `${inner}${name}`;
      gaps[at] = all[at] = { version, ...platform(name), ...(dev ? { dev } : {}), optional: true };
    }
  }
  return gaps;
}

/** As Node finds a package: beside the one that asks, then further out. */
function resolve(packages: LockedPackages, from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(inner) - 1))) {
    const found = packages[`${folder === '' ? '' : `${folder}/`}${inner}${name}`];
    if (found !== undefined || folder === '') return found;
  }
}

function platform(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const os = systems.find((each) => name.includes(each));
  const cpu = processors.find((each) => name.includes(each));
  const libc = name.includes('musl') ? 'musl' : os === 'linux' && name.includes('gnu') ? 'glibc' : undefined;
  return {
    ...(os === undefined ? {} : { os: [os] }),
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(libc === undefined ? {} : { libc: [libc] }),
  };
}
