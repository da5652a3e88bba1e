import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRedaction } from '../../../src/core/lib/redaction.ts';
import type { Problem } from '../../../src/core/problem/problem.ts';
import { readSecret } from '../../../src/server/settings/read-secret.ts';
import { readServerSettings } from '../../../src/server/settings/read-server-settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rampart-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const account = "accounts:\n  berlin: { companyId: '1', labels: { region: eu } }\n";

async function read(server: string, env: Record<string, string> = {}, accounts = account, listen?: string) {
  writeFileSync(join(folder, 'rampart.config.yaml'), `${accounts}${server}`);
  return readServerSettings({ folder, env, ...(listen === undefined ? {} : { listen }) });
}

async function problemsOf(server: string, accounts = account): Promise<readonly string[]> {
  const settings = await read(server, {}, accounts);
  return settings.ok ? [] : settings.problems.map(shown);
}

function shown({ place, message, hint }: Problem): string {
  return `${place?.line}:${place?.col} ${message}${hint === undefined ? '' : ` (${hint})`}`;
}

const login = `
  login:
    issuer: https://id.example.com
    clientId: rampart
    clientSecretFile: secrets/client
    roles: [{ group: ops, role: operator, where: region == "eu" }]`;

describe('the settings of the server', () => {
  it('have defaults that need no key at all', async () => {
    const settings = await read('');
    expect(settings).toMatchObject({
      ok: true,
      value: {
        listen: { host: '127.0.0.1', port: 8080 },
        data: join(folder, '.rampart/server'),
        cadenceMs: 600_000,
        sources: [{ kind: 'folder', name: 'files', folder }],
        approvals: [{ required: 1, notAuthor: false, expireAfterMs: 86_400_000 }],
        overrun: 'pause',
        retentionMs: 90 * 86_400_000,
      },
    });
  });

  it('hold everything in the file, with locations of secrets in place of secrets', async () => {
    const settings = await read(
      `server:
  url: https://rampart.example.com/
  listen: 0.0.0.0:8443
  cadence: 5m
  sources:
    - { name: fleet, git: https://git.example.com/fleet.git, ref: main, path: eu, tokenVariable: RAMPART_FLEET_TOKEN, webhookSecretFile: secrets/hook }
  registers: [{ name: snipe, every: 1h, sources: [fleet] }]
  approvals: { required: 2, notAuthor: true, expireAfter: 8h, where: region == "eu" }
  windows: [{ name: nights, only: 'Mon-Fri 20:00-06:00 Europe/Berlin' }]
  freezes: { name: year end, from: 2026-12-20T00:00:00Z, until: 2027-01-07T00:00:00Z }
  overrun: end
  notifications:
    - { name: ops, kind: slack, urlVariable: RAMPART_OPS_URL, kinds: [failing, waiting], digest: 5m }
    - { name: mail, kind: email, from: a@example.com, to: [b@example.com], smtp: { host: mail.example.com } }
  pipelines:
    - { issuer: https://token.example.com, audience: rampart, claims: { repository_id: '1' }, role: planner }
  allow: [10.0.0.0/8, git.internal]
  metrics: { label: region }${login}\n`,
    );
    expect(settings).toMatchObject({
      ok: true,
      value: {
        url: 'https://rampart.example.com',
        listen: { host: '0.0.0.0', port: 8443 },
        cadenceMs: 300_000,
        sources: [
          {
            kind: 'git',
            ref: 'main',
            path: 'eu',
            token: { kind: 'variable', variable: 'RAMPART_FLEET_TOKEN' },
            webhookSecret: { kind: 'file', file: 'secrets/hook' },
          },
        ],
        registers: [{ name: 'snipe', everyMs: 3_600_000, sources: ['fleet'] }],
        login: {
          clientSecret: { kind: 'file', file: 'secrets/client' },
          groupsClaim: 'groups',
          roles: [{ group: 'ops', role: 'operator', where: 'region == "eu"' }],
        },
        approvals: [{ required: 2, notAuthor: true, expireAfterMs: 28_800_000 }],
        windows: [{ name: 'nights' }],
        freezes: [{ name: 'year end' }],
        overrun: 'end',
        notifications: [
          { name: 'ops', kind: 'slack', digestMs: 300_000 },
          { name: 'mail', kind: 'email', smtp: { port: 587, security: 'starttls' } },
        ],
        pipelines: [{ claims: { repository_id: ['1'] } }],
        allow: [
          { kind: 'network', address: '10.0.0.0', prefix: 8 },
          { kind: 'host', host: 'git.internal' },
        ],
        metrics: { label: 'region' },
      },
    });
  });

  it('can be overridden by the environment of a container', async () => {
    const env = { RAMPART_SERVER_LISTEN: '127.0.0.1:9000', RAMPART_SERVER_DATA: '/var/lib/rampart' };
    const settings = await read('server: { listen: 127.0.0.1:8000 }\n', env);
    expect(settings).toMatchObject({
      ok: true,
      value: { listen: { host: '127.0.0.1', port: 9000 }, data: '/var/lib/rampart' },
    });
  });

  it('refuses a flag and variables that it would otherwise ignore', async () => {
    const env = { RAMPART_SERVER_LISTEN: '9000', RAMPART_SERVER_URL: 'http://rampart.example.com' };
    const settings = await read('server: { listen: 127.0.0.1:8000 }\n', env);
    expect(settings.problems.map(({ message }) => message)).toEqual([
      'RAMPART_SERVER_URL must be an https address without user, query and fragment',
      'RAMPART_SERVER_LISTEN must be an address and a port such as 127.0.0.1:8080',
    ]);
    // Cookies are protected if the address begins with "https:".
    for (const url of [
      'HTTPS://a.example',
      ' https://a.example',
      'https:a.example',
      'https://a.example/\n/b',
    ])
      expect(await read('', { RAMPART_SERVER_URL: url }), url).toMatchObject({
        problems: [{ code: 'invalid-value' }],
      });
    const empty = await read('', {
      RAMPART_SERVER_LISTEN: '',
      RAMPART_SERVER_URL: '',
      RAMPART_SERVER_DATA: '',
    });
    expect(empty).toMatchObject({ ok: true, value: { listen: { host: '127.0.0.1', port: 8080 } } });
    const { RAMPART_SERVER_LISTEN: listen } = env;
    const flagged = await read('', { RAMPART_SERVER_LISTEN: '127.0.0.1:9000' }, account, listen);
    expect(flagged.problems.map(({ message }) => message)).toEqual([
      '--listen must be an address and a port such as 127.0.0.1:8080',
    ]);
    expect(await read('', { RAMPART_SERVER_URL: 'https://rampart.example.com/' })).toMatchObject({
      ok: true,
      value: { url: 'https://rampart.example.com' },
    });
  });

  it.each(
    Object.entries({
      'server: { cadance: 5m }': '3:11 unknown key "cadance" (did you mean "cadence"?)',
      'server: { cadence: often }':
        '3:20 "cadence" must be a time from 1m to 7d, such as 10m, 2h or 7d, not "often"',
      'server: { retention: 1h }': '3:22 "retention" must be a time from 1d to 3650d, such as 7d, not "1h"',
      'server: { listen: 0.0.0.0:80 }':
        '3:19 the server can\'t listen on 0.0.0.0 without "login": other machines could reach it (add "login" with an OIDC provider, or listen on 127.0.0.1)',
      'server: { url: http://rampart.example.com }':
        '3:16 "url" must be an https address without user, query and fragment (write, for example, https://rampart.example.com; plain http is allowed only for this machine)',
      'server: { sources: [{ name: a, git: "https://user:pw@git.example.com/x" }] }':
        '3:37 "git" must be the address of a Git repository: https://…, ssh://… or git@host:path (give a token with tokenFile or tokenVariable, not in the address)',
      'server: { sources: [{ name: a, git: "http://127.example.com/fleet.git" }] }':
        '3:37 "git" must be the address of a Git repository: https://…, ssh://… or git@host:path (give a token with tokenFile or tokenVariable, not in the address)',
      'server: { sources: [{ name: a, git: "git@git.example.com:ops/fleet.git" }] }':
        '3:37 a repository at ssh://… needs "sshKeyFile" and "sshKnownHostsFile" (write the host keys to the file with ssh-keyscan, and compare them with those that the Git server publishes)',
      'server: { sources: [{ name: a, git: https://git.example.com/x, sshKeyFile: key }] }':
        '3:37 "sshKeyFile" and "sshKnownHostsFile" are only for addresses that start with ssh://',
      'server: { sources: [{ name: a, git: https://git.example.com/x/y, forgeTokenFile: t }] }':
        '3:37 the forge at git.example.com is unknown (add forge: github, gitlab, azure or bitbucket)',
      'server: { sources: [{ name: a, git: https://github.com/x, forgeTokenFile: t }] }':
        '3:37 the address is not that of a repository on GitHub',
      'server: { sources: [{ name: a, git: https://github.com/x/y, forge: github }] }':
        '3:68 reporting to a forge needs "forgeTokenFile" or "forgeTokenVariable"',
      'server: { notifications: { name: "forge:a", kind: slack, urlFile: b } }':
        '3:34 "name" must be a name that does not begin with "forge:", not "forge:a"',
      'server: { sources: [{ name: a }] }': '3:23 the source "a" must have exactly one of "folder" and "git"',
      'server: { sources: [{ name: a, folder: x, ref: main }] }': '3:48 "ref" is only for Git repositories',
      'server: { sources: [{ name: a, folder: x }, { name: b, folder: y }] }':
        '2:3 the account "berlin" needs "source" (the sources are a, b)',
      'server: { approvals: { where: regoin == "eu" } }':
        '3:31 "where": "regoin" does not exist (column 1) (did you mean "region"?)',
      'server: { notifications: { name: ops, kind: slack, urlVariable: AWS_SECRET_ACCESS_KEY } }':
        '3:65 "urlVariable" must be the name of a variable that starts with RAMPART_ and ends with _SECRET, _TOKEN, _PASSWORD or _URL, not "AWS_SECRET_ACCESS_KEY"',
      'server: { notifications: { name: ops, kind: slack, secretFile: a, secretVariable: RAMPART_A_SECRET, urlFile: b } }':
        '3:83 "secretFile" and "secretVariable" are both set (remove one of them)',
      'server: { notifications: { name: ops, kind: slack, secretFile: a, urlFile: b } }':
        '3:28 messages of kind slack are not signed: only a webhook has a secret',
      'server: { pipelines: { issuer: https://a.example.com, audience: b, claims: {}, role: admin } }':
        '3:76 "claims" must name at least one claim, because everyone can get tokens from a public issuer (write, for example, claims: { repository_id: "123456789" })',
    }),
  )('are refused with the place and a hint: %s', async (server, problem) => {
    expect(await problemsOf(`${server}\n`)).toEqual([problem]);
  });

  it('find the API of the forge and the repository in the address', async () => {
    const forges = [
      'git: "git@github.com:acme/fleet.git", sshKeyFile: key, sshKnownHostsFile: known',
      'git: https://github.example.com/acme/fleet.git, forge: github',
      'git: https://gitlab.com/acme/eu/fleet',
      'git: https://code.example.com/acme/fleet.git, forge: gitlab, forgeApi: https://api.example.com/v4/',
      'git: https://dev.azure.com/acme/Fleet%20IT/_git/fleet%20files',
      'git: https://bitbucket.org/acme/fleet.git',
    ];
    const sources = forges.map((keys, at) => `{ name: s${at}, ${keys}, forgeTokenFile: token }`);
    const settings = await read(
      `server: { sources: [${sources.join(', ')}] }\n`,
      {},
      'accounts: { berlin: { companyId: "1", source: s0 } }\n',
    );
    const token = { kind: 'file', file: 'token' };
    expect(settings).toMatchObject({
      ok: true,
      value: {
        sources: [
          {
            git: 'ssh://git@github.com/acme/fleet.git',
            ssh: { key: expect.stringMatching(/\/key$/) as string },
            forge: {
              kind: 'github',
              host: 'github.com',
              api: 'https://api.github.com',
              repository: 'acme/fleet',
              token,
            },
          },
          { forge: { kind: 'github', api: 'https://github.example.com/api/v3', repository: 'acme/fleet' } },
          { forge: { kind: 'gitlab', api: 'https://gitlab.com/api/v4', repository: 'acme/eu/fleet' } },
          { forge: { kind: 'gitlab', api: 'https://api.example.com/v4', repository: 'acme/fleet' } },
          {
            forge: {
              kind: 'azure',
              api: 'https://dev.azure.com/acme/Fleet%20IT',
              repository: 'fleet files',
            },
          },
          { forge: { kind: 'bitbucket', api: 'https://api.bitbucket.org/2.0', repository: 'acme/fleet' } },
        ],
      },
    });
  });

  it('never quote a secret that somebody wrote into the file', async () => {
    const problems = await problemsOf('server: { login: { clientSecret: hunter2, token: hunter2 } }\n');
    expect(problems.join('\n')).toContain('secrets do not belong in this file');
    expect(problems.join('\n')).not.toContain('hunter2');
  });

  it.each([
    [
      'a source',
      'sources: { name: a, git: "https://x.example/a", token: hunter2 }',
      'tokenFile or tokenVariable',
    ],
    [
      'a source with a forge',
      'sources: { name: a, forgeToken: hunter2 }',
      'forgeTokenFile or forgeTokenVariable',
    ],
    ['a source over SSH', 'sources: { name: a, sshKey: hunter2 }', 'sshKeyFile'],
    ['the login', 'login: { password: hunter2 }', 'clientSecretFile or clientSecretVariable'],
    [
      'a mail server',
      'notifications: { name: a, smtp: { password: hunter2 } }',
      'passwordFile or passwordVariable',
    ],
  ])('explain where the secret of %s belongs, if it was written into the file', async (_, section, keys) => {
    expect((await problemsOf(`server: { ${section} }\n`)).join('\n')).toContain(
      `(write where the secret is, with ${keys}, and create a new secret if this one was shared)`,
    );
  });

  it('explain that some secrets do not belong there at all', async () => {
    expect((await problemsOf('server: { metrics: { token: hunter2 } }\n')).join('\n')).toContain(
      '(remove it, and create a new secret if this one was shared)',
    );
  });

  it('limit the idle time of sessions to their life', async () => {
    const login = (times: string) =>
      problemsOf(
        `server: { login: { issuer: https://id.example.com, clientId: a, clientSecretFile: b, roles: { group: g, role: admin }, ${times} } }\n`,
      );
    expect((await login('sessionIdle: 2h, sessionLife: 1h')).join()).toContain(
      '"sessionIdle" is longer than "sessionLife": sessions would end before it',
    );
    expect((await login('sessionIdle: 13h')).join()).toContain('which is 12h by default');
    for (const times of ['sessionIdle: 1h, sessionLife: 1h', 'sessionLife: 5m'])
      expect(await login(times)).toEqual([]);
  });

  it('take only an email address for the commits of a reviewer', async () => {
    expect(
      (await problemsOf('server: { reviewers: { id: a, name: Ada, email: ada, github: "1" } }\n')).join(),
    ).toContain('"email" must be an email address');
  });

  it('refer only to existing sources', async () => {
    const accounts = "accounts:\n  berlin: { companyId: '1', source: fleets }\n";
    expect(await problemsOf('server: { sources: { name: fleet, folder: . } }\n', accounts)).toEqual([
      '2:29 there is no source "fleets" (the sources are fleet)',
    ]);
  });
});

describe('a secret of the server', () => {
  const hiddenOf = (value: string) => {
    const hidden: string[] = [];
    const source = { kind: 'variable', variable: 'RAMPART_CHAT_URL' } as const;
    const hide = (secrets: readonly string[]) => void hidden.push(...secrets);
    expect(readSecret(source, 'the address', { env: { RAMPART_CHAT_URL: value }, folder, hide }).ok).toBe(
      true,
    );
    return hidden;
  };

  it('is hidden, and only the part after the origin of an address, because other messages show the origin', () => {
    expect(hiddenOf('a-token-of-a-source')).toEqual(['a-token-of-a-source']);
    const path = 'services/T01/B02/9f2c41d07ab35e66';
    expect(hiddenOf(`https://hooks.example.com/${path}`)).toEqual([path]);
    expect(hiddenOf(`https://hooks.example.com:8443/x?token=${path}`)).toEqual([`x?token=${path}`]);
  });

  it('leaves other hosts of its domain readable, however short the address is', () => {
    for (const address of [
      'https://hooks.internal.example.com/abc',
      'https://hooks.internal.example.com?abc=1',
      'https://hooks.internal.example.com/',
      'https://hooks.internal.example.com',
      'https://ada:word@hooks.internal.example.com/services/T01/B02',
    ]) {
      const { hide, redact } = createRedaction();
      hide(hiddenOf(address));
      const page = 'https://rampart.internal.example.com/plans';
      expect(redact(page)).toBe(page);
      expect(redact(`sent to ${address}`)).not.toMatch(/\babc|ada|word|T01|B02/);
    }
  });
});
