import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { azurePipeline } from '../../src/cli/pipelines/azure-pipeline.ts';
import { githubWorkflows } from '../../src/cli/pipelines/github-workflows.ts';
import { gitlabPipeline } from '../../src/cli/pipelines/gitlab-pipeline.ts';
import type { Pipeline } from '../../src/cli/pipelines/pipeline.ts';

const root = join(import.meta.dirname, '../..');
const filesBelow = async (folder: string) =>
  (await readdir(join(root, folder), { recursive: true }))
    .filter((name) => /\.(?:ya?ml|sh|md|tf|ts|json)$/.test(name))
    .map((name) => `${folder}/${name}`);
const documents = [
  'README.md',
  'action.yml',
  ...(await filesBelow('docs')),
  ...(await filesBelow('examples')),
];

/** A variable for a key that gets its value from a secret or another variable, in YAML, HCL or a shell. */
const keyFromSecret = /\b\w*_PSK["']?\s*[:=]\s*["']?(?:\$\{\{|\$[({\w])/;

const pipeline: Pipeline = {
  folder: 'sites/berlin',
  files: ['fleet.yaml'],
  source: { kind: 'account', account: 'berlin', variable: 'BERLIN_PSK' },
  branch: 'trunk',
  action: `acme/rampart@${'0'.repeat(40)}`,
};
const templates: readonly (readonly [string, string])[] = [
  ...githubWorkflows(pipeline, { snapshot: true }).map(({ file, text }) => [file, text] as const),
  ['GitLab', gitlabPipeline(pipeline, { snapshot: true })],
  ['Azure', azurePipeline(pipeline, { snapshot: true })],
];

describe('a key of a pipeline', () => {
  it.each([
    'RAMPART_PSK: ${{ secrets.RAMPART_PSK }}',
    'BERLIN_PSK: $(BERLIN_PSK)',
    'export RAMPART_PSK="$KEY"',
    '- { RAMPART_PSK: "${KEY}" }',
  ])('is found in the environment in %s', (line) => expect(line).toMatch(keyFromSecret));

  it('is in a file and not in a variable, in each document and example', async () => {
    const found: string[] = [];
    for (const name of documents) {
      const lines = (await readFile(join(root, name), 'utf8')).split('\n');
      lines.forEach((line, at) => {
        if (keyFromSecret.test(line)) found.push(`${name}:${at + 1}: ${line.trim()}`);
      });
    }
    expect(documents.length).toBeGreaterThan(60);
    expect(found).toEqual([]);
  });

  it.each(templates)('is in a file and not in a variable, in the template %s of init', (_, text) => {
    expect(text).not.toMatch(keyFromSecret);
    if (text.includes('secrets.BERLIN_PSK') || text.includes('$(BERLIN_PSK)'))
      expect(text).toContain('BERLIN_PSK_FILE: ');
  });

  it('is written to a file that only its user can read, before the step that reads the file', async () => {
    const workflows = await filesBelow('examples/pipelines/github');
    const texts = await Promise.all(workflows.map((name) => readFile(join(root, name), 'utf8')));
    const azure = await readFile(join(root, 'examples/pipelines/azure/azure-pipelines.yml'), 'utf8');
    let read = 0;
    for (const text of [...texts, azure, ...templates.map(([, each]) => each)]) {
      for (const steps of stepsIn(parse(text))) {
        for (const [at, step] of steps.entries()) {
          const before = steps.slice(0, at).map((each) => each.run ?? each.bash ?? '');
          for (const [name, value] of Object.entries(step.env ?? {})) {
            if (!name.endsWith('_PSK_FILE')) continue;
            const line = `printenv \\w+ > "\\$\\w+/${value.split('/').at(-1)}"`;
            expect(before).toContainEqual(expect.stringMatching(new RegExp(`umask 077[^]*${line}`)));
            read += 1;
          }
        }
      }
    }
    expect(read).toBeGreaterThan(15);
  });
});

interface Step {
  readonly run?: string;
  readonly bash?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The steps of each job, in workflows of GitHub and in pipelines of Azure. */
function stepsIn(value: unknown): readonly (readonly Step[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'steps' && Array.isArray(each) ? [each as readonly Step[]] : stepsIn(each),
  );
}
