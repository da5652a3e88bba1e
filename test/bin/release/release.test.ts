import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { absoluteLinks } from '../../../bin/release/absolute-links.ts';
import { archive } from '../../../bin/release/archive.ts';
import { composeFile, dockerfile } from '../../../bin/release/container.ts';
import { nameActionCommit, releaseNames } from '../../../bin/release/names.ts';
import { billOfMaterials, packagesIn } from '../../../bin/release/sbom.ts';

const root = join(import.meta.dirname, '../../..');
const names = releaseNames();

describe('the links of a packed README', () => {
  const files = 'https://github.com/acme/rampart/blob/v1.2.3/';
  it.each([
    ['[Install](docs/start/install.md)', `[Install](${files}docs/start/install.md)`],
    ['[A](docs/a.md#part) and [B](LICENSE)', `[A](${files}docs/a.md#part) and [B](${files}LICENSE)`],
    ['![plan](docs/images/plan.png)', `![plan](${files}docs/images/plan.png)`],
    ['[here](#use-it)', '[here](#use-it)'],
    ['[site](https://example.com/a)', '[site](https://example.com/a)'],
    ['[mail](mailto:a@example.com)', '[mail](mailto:a@example.com)'],
    ['```sh\nx](docs/a.md)\n```', '```sh\nx](docs/a.md)\n```'],
  ])('%j becomes %j', (before, after) => expect(absoluteLinks(before, files)).toBe(after));

  it('leave no relative link in this README', () => {
    const text = absoluteLinks(readFileSync(join(root, 'README.md'), 'utf8'), names.files);
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
    expect(targets.filter((to) => !/^(https?:|#)/.test(to ?? ''))).toEqual([]);
  });
});

it('the same files produce an archive with the same bytes, whatever their times and modes', () => {
  const sums = [1, 2].map((turn) => {
    const parent = mkdtempSync(join(tmpdir(), 'rampart-archive-'));
    onTestFinished(() => rmSync(parent, { recursive: true }));
    mkdirSync(join(parent, 'inside'));
    for (const name of turn === 1 ? ['a', 'b'] : ['b', 'a']) {
      writeFileSync(join(parent, 'inside', name), name, { mode: turn === 1 ? 0o600 : 0o644 });
      utimesSync(join(parent, 'inside', name), turn * 1000, turn * 1000);
    }
    archive(join(parent, 'out.tar.gz'), { parent, folder: 'inside' });
    return createHash('sha256')
      .update(readFileSync(join(parent, 'out.tar.gz')))
      .digest('hex');
  });
  expect(sums[0]).toBe(sums[1]);
});

describe('the bill of materials', () => {
  it('lists the given packages, and is the same each time', () => {
    const contained = new Set(['undici', 'zod', 'no-such-package']);
    const text = billOfMaterials('rampart', contained);
    expect(billOfMaterials('rampart', contained)).toBe(text);
    const bom = JSON.parse(text);
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'rampart' } } });
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const listed = bom.components.map((each: { readonly name: string }) => each.name);
    expect([...new Set(listed)]).toEqual(['undici', 'zod']);
    expect(text).not.toContain('timestamp');
  });

  it('takes the packages of a bundle from its licenses', () => {
    const line = '-'.repeat(80);
    expect(packagesIn(`undici\n\nMIT\n\n${line}\n\n@scope/b\n\nText\n`)).toEqual(['undici', '@scope/b']);
  });
});

describe('the container', () => {
  it('has a base that is pinned by digest, and runs as a user without rights', () => {
    const text = dockerfile(names);
    expect(text).toMatch(/^FROM \S+@sha256:[0-9a-f]{64}$/m);
    expect(text).toMatch(/^USER node$/m);
    expect(text).toContain(`${names.package}-${names.version}-script.tar.gz`);
  });

  it('starts from one image, adds only what sources need from the network, and sets no secret', () => {
    const lines = dockerfile(names)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const instructions = lines.map((line) => line.split(' ', 1)[0]);
    expect(instructions).toEqual([
      'FROM',
      'LABEL',
      'RUN',
      'ADD',
      'RUN',
      'USER',
      'WORKDIR',
      'ENTRYPOINT',
      'CMD',
    ]);
    expect(lines.filter((line) => /https?:|curl|wget|apt-get|npm |chmod|PSK|TOKEN/.test(line))).toEqual([
      expect.stringContaining('LABEL org.opencontainers.image.source='),
      'RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git openssh-client && rm -rf /var/lib/apt/lists/*',
    ]);
    expect(lines.indexOf('USER node')).toBeLessThan(lines.findIndex((line) => line.startsWith('ENTRYPOINT')));
  });

  it('runs with a read-only root and no capabilities, and takes the key from a file', () => {
    const { services } = parse(composeFile(names));
    expect(services.rampart).toMatchObject({
      image: `${names.image}:${names.version}`,
      read_only: true,
      cap_drop: ['ALL'],
    });
    expect(services.rampart.environment).not.toContain('RAMPART_PSK');
  });
});

describe('the public names', () => {
  const texts = globSync(['docs/**/*.md', 'examples/**/*.{yml,yaml,sh}', 'README.md', 'action.yml'], {
    cwd: root,
  }).map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

  it('are the same in every workflow', () => {
    const used = texts.flatMap(({ file, text }) =>
      [...text.matchAll(/uses: (\S*rampart)@/g)].map(([, action]) => `${file}: ${action}`),
    );
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((each) => !each.endsWith(`: ${names.action}`))).toEqual([]);
  });

  it('include the commit of the Action only if the release names one', () => {
    const commit = 'a'.repeat(40);
    expect(releaseNames({})).not.toHaveProperty('actionCommit');
    const named = releaseNames({ RAMPART_ACTION_COMMIT: commit });
    const folder = mkdtempSync(join(tmpdir(), 'rampart-names-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'package.json'), '{"name":"rampart"}');
    nameActionCommit(folder, named);
    expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual({
      name: 'rampart',
      actionCommit: commit,
    });
    expect(() => releaseNames({ RAMPART_ACTION_COMMIT: 'v1' })).toThrow('40 hexadecimal digits');
  });

  it('are never installed from a registry, where anyone could register them', () => {
    const installed = texts.filter(({ text }) =>
      /npm (?:install|i|exec)[^\n#]*\srampart(?:@|\s|$)|npx (?:--yes |-y )rampart/.test(text),
    );
    expect(installed.map(({ file }) => file)).toEqual([]);
  });
});
