import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAction } from '../../bin/build-action.ts';
import { sourceDigest } from '../../bin/console/source-digest.ts';
import { inputVariables, stepEnvironment, testToken } from '../given/action-step.ts';
import { builtOnce } from '../given/built-once.ts';
import { givenService, testPsk } from '../given/command-line.ts';
import { newFolder } from '../given/folder.ts';
import { githubStandIn } from '../given/github-stand-in.ts';
import { hostileNames } from '../given/hostile-names.ts';
import { readWorkflowLog } from '../given/workflow-log.ts';

const root = join(import.meta.dirname, '../..');
let release: string;

beforeAll(async () => {
  const madeOf = sourceDigest(['src', 'bin', 'package.json', 'package-lock.json']);
  release = await builtOnce('action', madeOf, async (folder) => {
    await copyFile(join(root, 'package.json'), join(folder, 'package.json'));
    await buildAction(join(folder, 'dist', 'action'));
  });
}, 120_000);

interface Step {
  readonly files: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the bundle as a runner does: its own process, with files for outputs and the summary. */
async function runStep({ files, inputs = {}, event = 'workflow_dispatch', env = {} }: Step) {
  const folder = newFolder();
  const all = { ...files, '.output': '', '.summary': '' };
  for (const [name, text] of Object.entries(all)) await writeFile(join(folder, name), text);
  const variables = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    ...stepEnvironment(),
    ...inputVariables({ 'github-token': testToken, ...inputs }),
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: join(import.meta.dirname, 'payloads', `${event}.json`),
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: join(folder, '.output'),
    GITHUB_STEP_SUMMARY: join(folder, '.summary'),
    RUNNER_TEMP: folder,
    ...env,
  };
  const main = join(release, 'dist', 'action', 'index.js');
  const ended = await new Promise<{ readonly code: number; readonly out: string; readonly err: string }>(
    (done) => {
      const child = execFile(process.execPath, [main], { cwd: folder, env: variables }, (_error, out, err) =>
        done({ code: child.exitCode ?? -1, out, err }),
      );
    },
  );
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  return { ...ended, outputs: readOutputs(await read('.output')), summary: await read('.summary') };
}

/** `name<<delimiter`, lines, the delimiter. */
function readOutputs(text: string): Readonly<Record<string, string>> {
  const found = text.matchAll(
    /^(?<name>[\w-]+)<<(?<end>ghadelimiter_[\w-]+)\n(?<value>[\s\S]*?)\n\k<end>$/gm,
  );
  return Object.fromEntries(
    Array.from(found, ({ groups }) => [groups?.['name'] ?? '', groups?.['value'] ?? '']),
  );
}

describe('the built action', () => {
  it('is what action.yml runs, with the licenses of what is in it', async () => {
    expect(await readFile(join(root, 'action.yml'), 'utf8')).toContain('main: dist/action/index.js');
    const licenses = await readFile(join(release, 'dist', 'action', 'licenses.txt'), 'utf8');
    for (const name of ['undici', '@actions/core', 'zod']) expect(licenses).toContain(`${name}\n`);
    for (const name of ['pg-boss', 'hono', 'openid-client']) expect(licenses).not.toContain(`${name}\n`);
  });

  it('plans, comments, and sets its outputs, with nothing else installed', async () => {
    const github = await githubStandIn();
    const { env } = await givenService({ hosts: [{ id: '1', name: 'one' }] });
    const { code, out, err, outputs, summary } = await runStep({
      files: { 'fleet.yaml': 'version: 1\nhosts: [{ id: 1, name: ONE }]\n' },
      event: 'pull_request',
      env: { ...env, GITHUB_API_URL: github.url },
    });
    expect({ code, err, out }).toMatchObject({ code: 0 });
    expect(outputs).toMatchObject({ changes: '1', renames: '1', 'exit-code': '2' });
    expect(github.comments[0]?.body).toContain('Change 1 host: 1 rename');
    expect(summary).toContain('Change 1 host: 1 rename');
    expect(readWorkflowLog(out).text).toContain('Plan: 1 rename');
    expect(out + err + summary).not.toContain(testPsk);
  });

  it('runs a desired state in TypeScript', async () => {
    const { env } = await givenService({ hosts: [{ id: '1', name: 'one' }] });
    const { code, out, outputs } = await runStep({
      files: {
        'fleet.ts':
          "import { defineFleet, host } from 'rampart';\nexport default defineFleet({ version: 1, hosts: [host({ id: 1, name: 'ONE' as string })] });\n",
      },
      env,
    });
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(outputs['renames']).toBe('1');
  });

  it('takes no command from a host name, and annotates lines', async () => {
    const names = [
      ...hostileNames,
      '##[set-output name=changes]0',
      '::set-output name=changes::0',
      '::stop-commands::x',
      '::error::x',
    ];
    const { env } = await givenService({
      hosts: names.map((name, index) => ({ id: String(index + 1), name })),
    });
    const entries = names
      .map((_, index) => `  - { id: ${index + 1}, name: N${index}, group: Nowhere ${index} }\n`)
      .join('');
    const { code, out, outputs } = await runStep({
      files: { 'fleet.yaml': `version: 1\nhosts:\n${entries}` },
      env,
    });
    expect(code).toBe(3);
    const { commands } = readWorkflowLog(out);
    expect(new Set(commands.map(({ name }) => name))).toEqual(new Set(['error']));
    expect(commands).toHaveLength(10);
    expect(commands[0]).toMatchObject({
      properties: { file: 'fleet.yaml', line: '3', title: 'Rampart: unknown-group' },
    });
    expect(outputs['changes']).toBe(String(names.length));
  });
});
