import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { commandsPage } from '../../bin/docs/commands-page.ts';
import { tablesOfPages, withKeyTables } from '../../bin/docs/key-tables.ts';
import { openFilesState } from '../../src/run/state/files/files-state.ts';
import { givenService, workplace } from '../given/command-line.ts';
import { gitlabStandIn } from '../given/gitlab-stand-in.ts';
import { givenEvents, rolloutOrigin } from '../given/rollouts.ts';
import { readCommand } from './read-command.ts';
import { readFences } from './read-page.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(join(docs, 'reference/commands.md'), 'utf8');

it('docs/reference/commands.md matches the program: npm run docs writes it', () => {
  expect(page).toBe(commandsPage());
});

it('docs/reference/commands.md lists the commands under the headings of rampart --help', async () => {
  const { out } = await (await workplace()).rampart(['--help'], { columns: 200 });
  const [commands = ''] = out.split('\nMore flags:\n');
  const headings = [...commands.matchAll(/^(\S.*):\n(?= {2}[a-z])/gm)].map(([, title]) => title);
  expect(headings).toContain('Everyday commands');
  expect([...page.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual(headings);
});

describe.each(Object.entries(tablesOfPages))('docs/%s', (name, tables) => {
  const format = readFileSync(join(docs, name), 'utf8');

  it('has every key, with the meaning that an editor shows: npm run docs writes it', () => {
    expect(format).toBe(withKeyTables(format));
    const named = [...format.matchAll(/<!-- keys: (\w+) -->/g)].map(([, name]) => name);
    expect(named).toEqual(Object.keys(tables));
  });
});

const hosts = Array.from({ length: 280 }, (_, index) => ({ id: String(index + 1), name: `PC-${index + 1}` }));
/** A rename, and as many deletions as the examples agree to. */
const desired = [
  'version: 1',
  'hosts:',
  '  - { id: 200, name: LOBBY }',
  ...hosts.slice(0, 28).map(({ id }) => `  - { id: ${id}, ensure: absent }`),
  '',
].join('\n');

const registerTable = 'tables: [{ name: asset, file: assets.csv, key: Host, join: string(host.id) }]\n';

/** A case that any desired state passes. */
const planTest = 'observed: { hosts: [] }\ncases: [{ name: nothing to do, expect: { changes: [] } }]\n';

/** An account whose address and key are those of the environment. */
const account = "accounts: { berlin: { companyId: '1234567890', labels: { region: eu } } }\n";

const examples = [...new Set(readFences(page).flatMap(({ text }) => text.trim().split('\n')))];

/** Files and runs that the examples take for granted. */
async function prepared(example: string) {
  const place = await workplace();
  const { env } = await givenService({ hosts });
  const inFolder = example.includes('-f fleet/');
  if (inFolder) mkdirSync(join(place.folder, 'fleet'));
  await place.write(inFolder ? 'fleet/main.yaml' : 'fleet.yaml', desired);
  await place.write('seed.yaml', 'hosts: []\n');
  if (example.startsWith('rampart coverage')) {
    await place.write('fleet.yaml', `${desired}${registerTable}`);
    await place.write('assets.csv', 'Host,Site\n1,Berlin\n');
  }
  await place.write('policies.rampart-test.yaml', planTest);
  const file = inFolder ? ['-f', 'fleet'] : [];
  const prepare = async (argv: readonly string[]) =>
    expect((await place.rampart(argv, { env })).code, argv.join(' ')).toBe(0);
  if (/rampart accounts (?!add)/.test(example)) {
    await place.write('rampart.config.yaml', account);
    await place.write('accounts.csv', 'name,companyId\nlisbon,7\n');
  }
  if (example.includes('state import'))
    await place.write('state.ndjson', '{"type":"state","format_version":"1.0"}\n');
  if (example.includes('fleet.snapshot.json'))
    await prepare(['hosts', 'snapshot', '--out', 'fleet.snapshot.json']);
  if (example.includes('inventory export')) await prepare(['hosts', 'inventory', 'pull']);
  if (/plans\/|--accounts 'region|rampart rollout/.test(example)) {
    await place.write(
      'rampart.config.yaml',
      `accounts: { berlin: { companyId: ${env['RAMPART_COMPANY_ID']}, labels: { region: eu } } }\n`,
    );
  }
  const isRollout = example.startsWith('rampart rollout');
  if (isRollout || /^rampart (show|apply|plan note) plans\//.test(example))
    await prepare(['plan', '--account', 'berlin', '--out', 'plans/']);
  if (isRollout) {
    await prepare(['apply', 'plans/']);
    return { place, env, run: await stoppedRollout(join(place.folder, '.rampart')) };
  }
  if (/\bplan\.json/.test(example)) await prepare(['plan', ...file, '--out', 'plan.json']);
  if (example.startsWith('rampart plan sign')) {
    const { privateKey } = generateKeyPairSync('ed25519');
    await place.write('plan.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    return { place, env: { ...env, RAMPART_SIGNING_KEY_FILE: 'plan.key' }, run: '' };
  }
  if (!/rampart (runs|undo)/.test(example)) return { place, env, run: '' };
  await prepare(['apply', ...file, '--auto-approve']);
  const runs = await place.rampart(['runs', '--json']);
  return { place, env, run: (JSON.parse(runs.out) as { run_id: string }[])[0]?.run_id ?? '' };
}

/** The latest rollout, as if a signal had stopped it before its account ended. */
async function stoppedRollout(stateDir: string): Promise<string> {
  const { rollouts } = openFilesState(stateDir);
  const ids = await rollouts.list();
  const id = ids.ok ? (ids.value[0] ?? '') : '';
  const log = await rollouts.read(id);
  if (!log.ok || log.value === null) throw new Error('no rollout');
  const events = givenEvents(
    ['continued', undefined, { origin: rolloutOrigin }],
    ['account-ended', 'berlin', { status: 'pending', exit_code: 130 }],
    ['stopped', undefined, { reason: 'signal', why: 'a signal asked it to stop' }],
  );
  await rollouts.append(id, log.value.revision, events);
  return id;
}

/** These are a server or ask one: `test/cli/server` and `test/server` run them. */
const asksServer = /^rampart server\b| --server\b/;

test.each(examples.filter((each) => !asksServer.test(each)))('the example works: %s', async (example) => {
  const command = readCommand(example);
  const { place, env, run } = await prepared(example);
  const argv = ownPort((command?.argv ?? []).map((word) => (/^\d{8}T/.test(word) ? run : word)));
  const usesForge = argv[1] === 'note' || argv.includes('--issue');
  const pipeline = usesForge ? (await gitlabStandIn()).env : {};
  const ran = place.rampart(argv, { env: { ...env, ...pipeline }, answer: 'yes' });
  if (argv[0] === 'emulator' || argv[0] === 'mcp') {
    while (!(await settled(ran))) place.interrupt();
  }
  const { code, out, err } = await ran;
  expect({ code, err }).toMatchObject({ code: argv.includes('--detailed-exitcode') ? 2 : 0 });
  if (command?.into !== undefined) await writeFile(join(place.folder, command.into), out);
  const saved = argv[argv.indexOf('--out') + 1] ?? '';
  const file = saved.endsWith('/') ? `${saved}index.json` : saved;
  if (argv.includes('--out')) expect(await readFile(join(place.folder, file), 'utf8')).toContain('{');
});

/** Any free port in place of the one in an example, which another program may use. */
function ownPort(argv: readonly string[]): readonly string[] {
  return argv.map((word, index) => (argv[index - 1] === '--port' ? '0' : word));
}

/** Is it over, once other work had its turn? */
function settled(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    work.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(false))),
  ]);
}
