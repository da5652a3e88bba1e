import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
}

interface Bom {
  readonly metadata: { readonly component: object };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * The packages that a release contains or installs, as CycloneDX 1.5. npm writes the document from the lock file; this
 * keeps what `contained` names. The number and the time in it are replaced, so that the same packages give the same
 * bytes.
 */
export function billOfMaterials(name: string, contained: ReadonlySet<string>): string {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const whole = JSON.parse(text) as Bom & { readonly serialNumber: string };
  const { serialNumber: _number, metadata, components, dependencies, ...head } = whole;
  const { timestamp: _time, ...about } = metadata as Bom['metadata'] & { readonly timestamp: string };
  const kept = components.filter((each) => contained.has(each.name));
  const refs = new Set(kept.map((each) => each['bom-ref']));
  const bom = {
    ...head,
    metadata: { ...about, component: { ...about.component, name } },
    components: kept,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
  };
  const digest = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  const uuid = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(digest)?.slice(1).join('-');
  return `${JSON.stringify({ ...bom, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`;
}

/** The packages that a file of licenses names. */
export function packagesIn(licenses: string): readonly string[] {
  return licenses.split(`${'-'.repeat(80)}\n`).map((part) => part.trim().split('\n', 1)[0] ?? '');
}
