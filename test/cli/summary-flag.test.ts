import { expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

const files = {
  'seed.yaml': `companyId: 1
hosts:
  - { id: 1, name: OLD }
  - { id: 2, name: RETIRED }
`,
  'fleet.yaml': `version: 1
policy:
  limits: { delete: 100% }
hosts:
  - { id: 1, name: NEW }
  - { id: 2, ensure: absent }
`,
};

it.each([
  ['apply of a reviewed plan', ['apply', 'plan.json']],
  ['apply of a new plan', ['apply', '--auto-approve']],
  ['plan rehearse', ['plan', 'rehearse', 'plan.json']],
])('%s shows only sums and deletions with --summary', async (_, argv) => {
  const { rampart, write } = await workplace();
  for (const [name, text] of Object.entries(files)) await write(name, text);
  expect(await rampart('plan --emulator=seed.yaml --out plan.json')).toExit(0);
  const ran = await rampart([...argv, '--emulator=seed.yaml', '--summary']);
  expect(ran.code).toBe(0);
  const plan = ran.out.slice(0, ran.out.indexOf('Plan: '));
  expect(plan).toContain('RETIRED');
  expect(plan).toContain('from 2 to 1 host');
  expect(plan).not.toContain('NEW');
});
