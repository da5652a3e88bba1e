import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { isAllowed, roles, serverActions } from '../../src/api/access/action.ts';
import { readServerSettings } from '../../src/server/settings/read-server-settings.ts';
import { listen } from '../given/loopback.ts';
import { forgedToken } from '../server/sign-in/forged-token.ts';
import { givenDatabase, givenServer } from '../server/sign-in/given.ts';
import { readFences } from './read-page.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guides/sign-in.md'), 'utf8');
const fences = readFences(page).filter(({ language }) => language === 'yaml');
const configs = fences.filter(
  ({ text, file }) => file === 'rampart.config.yaml' || text.startsWith('# rampart'),
);
const run = promisify(execFile);
const database = givenDatabase();

async function settingsOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-page-'));
  mkdirSync(join(folder, 'secrets'));
  writeFileSync(join(folder, 'secrets/login-client-secret'), 'a-secret\n');
  writeFileSync(join(folder, 'rampart.config.yaml'), text);
  const read = await readServerSettings({ folder, env: {} });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

test('every configuration of the page on signing in is valid', async () => {
  expect(configs).toHaveLength(2);
  for (const { text } of configs) {
    const { login, pipelines } = await settingsOf(text);
    expect((login?.roles.length ?? 0) + pipelines.length).toBeGreaterThan(1);
  }
});

/** The actions that each row of the table of roles names. */
const rows: readonly (readonly (typeof serverActions)[number][])[] = [
  ['read', 'read-settings', 'read-audit'],
  ['comment', 'rehearse'],
  ['check'],
  ['plan'],
  ['approve'],
  ['run', 'stop', 'undo'],
  ['rollout'],
  ['pause', 'override-window'],
  ['redrive'],
  ['manage-tokens'],
];

test('the table of roles says what each role may do', () => {
  expect(rows.flat().toSorted((a, b) => a.localeCompare(b))).toEqual(
    [...serverActions].sort((a, b) => a.localeCompare(b)),
  );
  const shown = page
    .split('\n')
    .filter((line) => /^\| (?!action|grant|setting|kind|---)/.test(line))
    .slice(0, rows.length)
    .map((line) =>
      line
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim() === 'yes'),
    );
  expect(shown).toEqual(rows.map((row) => roles.map((role) => row.every((each) => isAllowed(role, each)))));
});

/** A system of pipelines on this machine: it publishes its keys, and gives a job its token. */
async function startForge(claims: Readonly<Record<string, unknown>>) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  let used = 0;
  const tokenFor = (aud: string | null) => {
    used += 1;
    return forgedToken(privateKey, {
      iss: origin,
      aud: aud ?? '',
      sub: 'job',
      jti: `job-${used}`,
      ...claims,
    });
  };
  const port = await listen(
    createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', origin);
      void (async () => {
        if (pathname === '/jwks') return { keys: [jwk] };
        if (pathname !== '/job-token') return { issuer: origin, jwks_uri: `${origin}/jwks` };
        const isJob = request.headers.authorization === 'Bearer of-the-job';
        return { value: isJob ? await tokenFor(searchParams.get('audience')) : 'none' };
      })().then((body) => response.end(JSON.stringify(body)));
    }),
  );
  const origin = `http://127.0.0.1:${port}`;
  return { origin, tokenFor };
}

async function serve(issuer: string, origin: string): Promise<string> {
  const settings = await settingsOf((configs[1]?.text ?? '').replace(issuer, origin));
  const server = givenServer(database, settings);
  const listening = await server.http.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.http.close());
  return listening.ok ? listening.value.url : '';
}

test('the job of GitHub Actions on the page gets a token and uses it', async () => {
  const forge = await startForge({
    repository: 'acme/fleet',
    repository_id: '123456789',
    ref: 'refs/heads/main',
  });
  const url = await serve('https://token.actions.githubusercontent.com', forge.origin);
  const job = fences.find(({ file }) => file === '.github/workflows/rampart.yml');
  const workflow = parse(job?.text ?? '') as {
    readonly jobs: { readonly status: { readonly steps: readonly [{ readonly run: string }] } };
  };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', workflow.jobs.status.steps[0].run], {
    env: {
      PATH: process.env['PATH'],
      RAMPART_SERVER: url,
      ACTIONS_ID_TOKEN_REQUEST_URL: `${forge.origin}/job-token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    },
  });
  const [mask, me = ''] = stdout.split('\n');
  expect(mask).toMatch(/^::add-mask::rampart_ci_[\w-]{43}$/);
  expect(JSON.parse(me)).toMatchObject({
    subject: { kind: 'pipeline', name: 'acme/fleet' },
    grants: [{ role: 'planner' }],
  });
}, 60_000);

test('the job of GitLab CI on the page gets a token and uses it', async () => {
  const forge = await startForge({ project_path: 'acme/fleet', project_id: '987654', ref_protected: 'true' });
  const url = await serve('https://gitlab.com', forge.origin);
  const job = fences.find(({ file }) => file === '.gitlab-ci.yml');
  const { status } = parse(job?.text ?? '') as {
    readonly status: {
      readonly id_tokens: { readonly JOB_TOKEN: { readonly aud: string } };
      readonly script: string[];
    };
  };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', status.script.join('\n')], {
    env: {
      PATH: process.env['PATH'],
      RAMPART_SERVER: url,
      JOB_TOKEN: await forge.tokenFor(status.id_tokens.JOB_TOKEN.aud),
    },
  });
  expect(JSON.parse(stdout)).toMatchObject({
    subject: { kind: 'pipeline', name: 'acme/fleet' },
    grants: [{ role: 'viewer', where: 'region == "eu"' }],
  });
}, 60_000);
