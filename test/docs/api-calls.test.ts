import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { givenService, workplace } from '../given/command-line.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/api-calls.md'), 'utf8');

/** The commands of the table, each with the numbers of its row. */
const rows = [...page.matchAll(/^\| (`rampart .*?) \| (\d+) \| (.*?) \|$/gm)].flatMap(
  ([, commands = '', reads = '', writes = '']) =>
    [...commands.matchAll(/`rampart ([^`]+)`/g)].map(([, command = '']) => ({
      command,
      usesAntivirus: commands.includes('anti-virus'),
      reads: Number(reads),
      writes,
    })),
);

const names = 'hosts: [{ id: 1, name: PC-2 }, { id: 2, name: PC-1 }, { id: 3, ensure: absent }]';
/** What the commands do to the fleet above, in calls. */
const ofThePlan = 4;
const ofTheReversal = 3;

/** The requests of a command, in a folder with the required files. */
async function requestsOf(command: string, usesAntivirus: boolean) {
  const place = await workplace();
  const { env, emulator } = await givenService({
    hosts: Array.from({ length: 6 }, (_, at) => ({ id: `${at + 1}`, name: `PC-${at + 1}` })),
  });
  const hosts = usesAntivirus ? 'hosts: [{ id: 1, antivirus: installed }]' : names;
  await place.write('fleet.yaml', `version: 1\n${hosts}\npolicy: { limits: { delete: 1 } }\n`);
  const argv = command.split(' ');
  if (argv.includes('plan.json')) await place.rampart(['plan', '--out', 'plan.json'], { env });
  if (argv[0] === 'undo') await place.rampart(['apply', '--auto-approve'], { env });
  const before = emulator.requests.length;
  const approves = argv[0] === 'undo' || (argv[0] === 'apply' && argv.length === 1);
  const out = argv[1] === 'snapshot' ? ['--out', 'fleet.snapshot.json'] : [];
  const { code, err } = await place.rampart([...argv, ...out, ...(approves ? ['--auto-approve'] : [])], {
    env,
  });
  expect({ command, code, err }).toMatchObject({ code: 0 });
  return emulator.requests.slice(before);
}

test.each(rows)(
  '$command sends as many requests as the page says',
  async ({ command, usesAntivirus, reads, writes }) => {
    const requests = await requestsOf(command, usesAntivirus);
    const read = requests.filter(({ method }) => method === 'GET').length;
    const planned = usesAntivirus ? 1 : ofThePlan;
    const written =
      writes === 'the calls of the plan'
        ? planned
        : writes === 'the calls of the reversal'
          ? ofTheReversal
          : Number.parseInt(writes, 10);
    expect({ read, written: requests.length - read }).toEqual({ read: reads, written });
  },
);

test('the table has a row for each kind of command', () => {
  expect(rows.length).toBeGreaterThan(20);
});
