import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { printPlan, readPlan } from '../../src/core/plan/document/plan-document.ts';
import { connected } from '../given/command-line.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

it.each([
  ['of two days ago', -2 * day, 7],
  ['of an hour ago', -60 * minute, 0],
  ['of a clock that is a minute ahead', minute, 0],
  ['of tomorrow, which would never be too old', day, 7],
])('apply --max-plan-age 1d judges a plan %s', async (_case, shiftMs, code) => {
  const { rampart, write, folder, clock, emulator } = await connected({ hosts: [{ id: '1', name: 'A' }] });
  await write('fleet.yaml', 'version: 1\nhosts: [{ id: 1, name: B }]\n');
  expect((await rampart('plan --out plan.json')).code).toBe(0);
  const read = readPlan(await readFile(join(folder, 'plan.json'), 'utf8'), 'plan.json');
  if (!read.ok) expect.fail('the plan is not read');
  const createdAt = new Date(clock.now() + shiftMs).toISOString();
  await write('plan.json', printPlan({ ...read.value, createdAt }));
  const ran = await rampart('apply plan.json --max-plan-age 1d');
  expect({ code: ran.code, err: ran.err }).toMatchObject({ code });
  const writes = emulator.requests.filter(({ method }) => method !== 'GET');
  expect(writes).toHaveLength(code === 0 ? 1 : 0);
});
