import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

const seed = `hosts:
  - { id: 1, name: A }
  - { id: 2, name: B }
  - { id: 3, name: C }
`;
const fleet = (names: readonly string[]) =>
  `version: 1\nhosts:\n${names.map((name, index) => `  - { id: ${index + 1}, name: ${name} }\n`).join('')}`;

it.each(['a run without changes', 'a run that moves the host'])(
  'what someone changed by hand is no drift once the file asked for it in %s',
  async (run) => {
    const { rampart, write } = await workplace({ 'seed.yaml': `groups: [{ id: 9, name: G }]\n${seed}` });
    const service = ['--emulator=seed.yaml', '--emulator-state', 'fleet.state'];
    const apply = (...flags: readonly string[]) => rampart(['apply', ...service, '--auto-approve', ...flags]);
    const drift = async () => (await rampart(['drift', ...service])).out;
    await write('fleet.yaml', fleet(['A1', 'B1', 'C1']));
    expect((await apply()).code).toBe(0);
    await write('other.yaml', fleet(['by-hand', 'B1', 'C1']));
    expect((await apply('-f', 'other.yaml', '--state-dir', 'elsewhere')).code).toBe(0);
    const adopted = fleet(['by-hand', 'B1', 'C1']);
    const isMoved = run !== 'a run without changes';
    await write('fleet.yaml', isMoved ? adopted.replace('by-hand', 'by-hand, group: G') : adopted);
    expect((await apply()).code).toBe(0);
    await write('fleet.yaml', fleet(['A1', 'B1', 'C1']));
    expect(await drift()).toContain('0 drifted, 1 pending');
  },
);

it('what someone changed by hand stays drift after a run that left the host alone, until a run sets it', async () => {
  const { rampart, write } = await workplace({ 'seed.yaml': seed, 'fleet.yaml': fleet(['A1', 'B1', 'C1']) });
  const service = ['--emulator=seed.yaml', '--emulator-state', 'fleet.state'];
  const apply = (...flags: readonly string[]) =>
    rampart(['apply', ...service, '--auto-approve', ...flags], {});
  const drift = async () => {
    const { out } = await rampart(['drift', ...service, '--json']);
    const { differences } = JSON.parse(out) as {
      differences: readonly { host_id: string; kind: string; before: string; observed: string }[];
    };
    return differences.map(
      ({ host_id, kind, before, observed }) => `${host_id} ${kind} ${before} ${observed}`,
    );
  };
  expect((await apply()).code).toBe(0);
  // Someone works with a state of their own.
  await write('other.yaml', fleet(['by-hand', 'B1', 'C1']));
  expect((await apply('-f', 'other.yaml', '--state-dir', 'elsewhere')).code).toBe(0);
  await write('fleet.yaml', fleet(['A1', 'B2', 'C2']));
  const before = ['1 drift A1 by-hand', '2 pending B1 B1', '3 pending C1 C1'];
  expect(await drift()).toEqual(before);
  expect((await apply('--target', '2')).code).toBe(0);
  const after = ['1 drift A1 by-hand', '3 pending C1 C1'];
  expect(await drift()).toEqual(after);
  // A run that changes nothing leaves it so, too.
  expect((await apply('--target', '2')).code).toBe(0);
  expect(await drift()).toEqual(after);
  expect((await rampart(['undo', ...service, '--auto-approve'])).code).toBe(0);
  expect(await drift()).toEqual(before);
  expect((await apply()).code).toBe(0);
  expect(await drift()).toEqual([]);
  await write('fleet.yaml', fleet(['A2', 'B2', 'C2']));
  expect(await drift()).toEqual(['1 pending A1 A1']);
});

it('drift names what it compares with: the last run, or a recorded fleet if there is no run', async () => {
  const { rampart, write, folder } = await workplace({ 'seed.yaml': seed });
  await write('fleet.yaml', fleet(['A1', 'B1', 'C1']));
  const service = ['--emulator=seed.yaml', '--emulator-state', 'fleet.state'];
  expect((await rampart(['apply', ...service, '--auto-approve'])).code).toBe(0);
  const drift = async () => (await rampart(['drift', ...service])).out;
  expect(await drift()).toContain('compared with the result of the last run at ');
  await rm(join(folder, '.rampart/runs'), { recursive: true });
  expect(await drift()).toContain('compared with the fleet that Rampart recorded at ');
});
