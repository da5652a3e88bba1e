import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { VaultLogin, VaultSecret } from '../../../src/accounts/config/account-config.ts';
import { readKey } from '../../../src/accounts/config/read-key.ts';
import { runKeyCommand } from '../../../src/accounts/config/run-key-command.ts';
import { readVaultSecret } from '../../../src/accounts/config/vault-secret.ts';
import { testPsk } from '../../given/command-line.ts';
import { newFolder } from '../../given/folder.ts';

const allowed = { PATH: process.env['PATH'], RAMPART_ALLOW_KEY_COMMANDS: '1' };
const node = (script: string) => [process.execPath, '-e', script];

async function commandOf(
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>> = allowed,
) {
  const hidden: string[] = [];
  const folder = newFolder();
  const hide = (secrets: readonly string[]) => void hidden.push(...secrets);
  const read = await runKeyCommand(command, { env, folder, hide, timeLimitMs: 20_000 });
  return { read, hidden, folder, text: JSON.stringify(read) };
}

describe('the key of a variable', () => {
  const source = (variable: string) => ({ kind: 'variable', variable }) as const;
  const readFrom = async (variable: string, env: Readonly<Record<string, string>>) => {
    const folder = newFolder();
    await writeFile(join(folder, 'key'), `${testPsk}\n`, { mode: 0o600 });
    return readKey(source(variable), { env, folder, hide: () => {} });
  };

  it('can be in the file whose path is in the variable ending in _FILE', async () => {
    for (const variable of ['RAMPART_PSK', 'BERLIN_PSK'])
      expect(await readFrom(variable, { [`${variable}_FILE`]: 'key' })).toMatchObject({ value: testPsk });
    expect(await readFrom('BERLIN_PSK', { BERLIN_PSK: 'text', BERLIN_PSK_FILE: '' })).toMatchObject({
      value: 'text',
    });
  });

  it('is refused if both the variable and the file are set, or if the file is missing', async () => {
    expect(await readFrom('BERLIN_PSK', { BERLIN_PSK: 'text', BERLIN_PSK_FILE: 'key' })).toMatchObject({
      ok: false,
      problems: [{ message: 'both BERLIN_PSK and BERLIN_PSK_FILE are set' }],
    });
    expect(await readFrom('BERLIN_PSK', { BERLIN_PSK_FILE: 'nowhere' })).toMatchObject({ ok: false });
  });

  it('is never in a file for a variable with another secret', async () => {
    const vault = await readFrom('VAULT_TOKEN', { VAULT_TOKEN_FILE: 'key' });
    expect(vault).toMatchObject({ ok: true, value: undefined });
  });
});

describe('a key command', () => {
  it('prints the key, which is hidden from then on', async () => {
    const { read, hidden } = await commandOf(node(`console.log(${JSON.stringify(testPsk)})`));
    expect(read).toMatchObject({ ok: true, value: testPsk });
    expect(hidden).toContain(testPsk);
  });

  it('does not run unless the operator allows commands', async () => {
    const { read, folder } = await commandOf(node('require("fs").writeFileSync("ran", "")'), {
      PATH: allowed.PATH,
    });
    expect(read).toMatchObject({ ok: false, problems: [{ code: 'configuration' }] });
    await expect(readFile(join(folder, 'ran'))).rejects.toThrow('ENOENT');
  });

  it('gets only the variables that it needs, and those that the operator names', async () => {
    const env = { ...allowed, BERLIN_PSK: testPsk, OP_TOKEN: 'one', RAMPART_KEY_COMMAND_ENV: 'OP_TOKEN' };
    const { read } = await commandOf(
      node('console.log(String(process.env.BERLIN_PSK) + process.env.OP_TOKEN)'),
      env,
    );
    expect(read).toMatchObject({ ok: true, value: 'undefinedone' });
  });

  it('gets its arguments without a shell', async () => {
    const { read } = await commandOf([...node('console.log(process.argv[1])'), '$(id); echo x']);
    expect(read).toMatchObject({ ok: true, value: '$(id); echo x' });
  });

  it.each([
    ['two lines', `console.log("${testPsk}\\n${testPsk}")`],
    ['too many bytes', `console.log("${testPsk}".repeat(100))`],
    ['nothing', ''],
    ['an exit code', `console.log("${testPsk}"); console.error("${testPsk}"); process.exit(3)`],
  ])('fails with %s, and no problem shows what it printed', async (_, script) => {
    const { read, text } = await commandOf(node(script));
    expect(read.ok).toBe(false);
    expect(text).not.toContain(testPsk.slice(0, 20));
  });

  it('fails if the program does not exist', async () =>
    expect((await commandOf(['no-such-program-of-rampart'])).text).toContain('ENOENT'));

  it('is ended with all programs that it started when its time is over', async () => {
    const folder = newFolder();
    const script = `require("child_process").spawn(process.execPath, ["-e", 'require("fs").writeFileSync("child", String(process.pid)); setInterval(() => {}, 1000)'], { stdio: "ignore" }); setInterval(() => {}, 1000)`;
    const read = await runKeyCommand(node(script), {
      env: allowed,
      folder,
      hide: () => {},
      timeLimitMs: 3_000,
    });
    expect(JSON.stringify(read)).toContain('did not end within 3 s');
    const pid = Number(await readFile(join(folder, 'child'), 'utf8').catch(() => '0'));
    if (pid > 0) await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });
});

/** A process that has ended but whose parent has not read its exit code is a zombie. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat !== undefined) return !/\) [ZX] /.test(stat);
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const token = 'hvs.a-token-of-vault-which-nobody-may-see';
type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function vaultOf(handler: Handler, login: VaultLogin = { kind: 'token', variable: 'VAULT_TOKEN' }) {
  const seen: {
    readonly url: string;
    readonly body: string;
    readonly headers: IncomingMessage['headers'];
  }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += String(chunk);
    });
    request.on('end', () => {
      seen.push({ url: request.url ?? '', body, headers: request.headers });
      handler(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secret: VaultSecret = { address, mount: 'secret', path: 'rampart/berlin', field: 'psk', login };
  const hidden: string[] = [];
  const folder = newFolder();
  const read = async (more: Partial<VaultSecret> = {}) => {
    const env = { VAULT_TOKEN: token, CI_ID_TOKEN: 'a.signed.token' };
    const hide = (secrets: readonly string[]) => void hidden.push(...secrets);
    const result = await readVaultSecret({ ...secret, ...more }, { env, folder, hide, timeoutMs: 2_000 });
    return { result, text: JSON.stringify(result) };
  };
  return { seen, hidden, read, folder };
}

const answer = (psk: unknown) => JSON.stringify({ data: { data: { psk }, metadata: { version: 1 } } });

describe('a secret in Vault', () => {
  it('is read with a token, in its namespace', async () => {
    const vault = await vaultOf((_, response) => response.end(answer(testPsk)));
    const { result } = await vault.read({ namespace: 'admin/fleet' });
    expect(result).toMatchObject({ ok: true, value: testPsk });
    expect(vault.seen[0]).toMatchObject({
      url: '/v1/secret/data/rampart/berlin',
      headers: { 'x-vault-token': token, 'x-vault-namespace': 'admin/fleet' },
    });
    expect(vault.hidden).toEqual(expect.arrayContaining([token, testPsk]));
  });

  it('is read with the token of a login by JSON Web Token', async () => {
    const login: VaultLogin = {
      kind: 'jwt',
      mount: 'gitlab',
      role: 'rampart',
      token: { kind: 'variable', variable: 'CI_ID_TOKEN' },
    };
    const vault = await vaultOf((request, response) => {
      if (request.method === 'POST') response.end(JSON.stringify({ auth: { client_token: token } }));
      else response.end(answer(testPsk));
    }, login);
    expect((await vault.read()).result).toMatchObject({ ok: true, value: testPsk });
    expect(vault.seen[0]).toMatchObject({ url: '/v1/auth/gitlab/login' });
    expect(JSON.parse(vault.seen[0]?.body ?? '')).toEqual({ role: 'rampart', jwt: 'a.signed.token' });
    expect(vault.seen[1]?.headers['x-vault-token']).toBe(token);
    expect(vault.hidden).toEqual(expect.arrayContaining([token, 'a.signed.token', testPsk]));
  });

  it('is read with a token from a file', async () => {
    const vault = await vaultOf((_, response) => response.end(answer(testPsk)), {
      kind: 'token-file',
      file: 'token',
    });
    await writeFile(join(vault.folder, 'token'), `${token}\n`, { mode: 0o600 });
    expect((await vault.read()).result).toMatchObject({ ok: true, value: testPsk });
  });

  it.each([
    [403, 'forbidden', 'refuses to read secret/rampart/berlin (403)'],
    [404, 'configuration', 'has no secret secret/rampart/berlin (404)'],
    [503, 'server-error', 'is sealed or in maintenance (503)'],
    [307, 'unexpected-status', 'answered 307'],
    [500, 'unexpected-status', 'answered 500'],
  ])('is refused with status %i in words without the token', async (status, code, message) => {
    const vault = await vaultOf((_, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:9/' });
      response.end(JSON.stringify({ errors: [`${token} ${testPsk}`] }));
    });
    const { result, text } = await vault.read();
    expect(result).toMatchObject({
      ok: false,
      problems: [{ code, message: expect.stringContaining(message) }],
    });
    expect(text).not.toContain(token);
    expect(text).not.toContain(testPsk);
    expect(vault.seen).toHaveLength(1);
  });

  it.each([
    ['no JSON', `<html>${testPsk}`],
    ['no such field', JSON.stringify({ data: { data: { other: testPsk } } })],
    ['a deleted version', JSON.stringify({ data: { data: null } })],
    ['a number', answer(17)],
    ['two lines', answer(`${testPsk}\n${testPsk}`)],
    ['two mebibytes', answer('x'.repeat(2 ** 21))],
  ])('is refused with %s, and no problem shows the answer', async (_, body) => {
    const vault = await vaultOf((__, response) => response.end(body));
    const { result, text } = await vault.read();
    expect(result.ok).toBe(false);
    expect(text).not.toContain(testPsk.slice(0, 20));
    expect(text.length).toBeLessThan(1_000);
  });

  it('is given up when the server does not answer in time', async () => {
    const vault = await vaultOf(() => {});
    expect((await vault.read()).result).toMatchObject({ ok: false, problems: [{ code: 'network' }] });
  });

  it('is never asked for over plain http on another machine', async () => {
    const vault = await vaultOf(() => {});
    const { result } = await vault.read({ address: 'http://vault.example.com' });
    expect(result).toMatchObject({ ok: false, problems: [{ code: 'insecure-url' }] });
    expect(vault.seen).toEqual([]);
  });

  it('may name the account', async () => {
    const folder = newFolder();
    const read = await readKey(
      {
        kind: 'vault',
        vault: {
          address: 'https://127.0.0.1:9',
          mount: 's',
          path: 'p',
          field: 'f',
          login: { kind: 'token', variable: 'VAULT_TOKEN' },
        },
      },
      { env: {}, folder, hide: () => {} },
    );
    expect(read).toMatchObject({ ok: false, problems: [{ code: 'missing-credentials' }] });
  });
});
