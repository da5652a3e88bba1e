import { expect, it } from 'vitest';
import { workplace } from '../given/command-line.ts';

it.each([
  ['is not JSON', 'hello', 'the file is neither a plan nor a snapshot'],
  ['is another document', '{"name":"x"}', 'the file is neither a plan nor a snapshot'],
  ['is a list', '[]', 'the file is neither a plan nor a snapshot'],
  ['is part of a plan', '{"steps":[]}', 'the file is not a plan: "format_version" is missing'],
  ['is part of a snapshot', '{"hosts":[]}', 'the file is not a snapshot: "format_version" is missing'],
])('drift --since of a file that %s says so, if, and what to do', async (_case, text, message) => {
  const { rampart, write } = await workplace({ 'fleet.yaml': 'version: 1\nhosts: []\n' });
  await write('before.json', text);
  const { code, out, err } = await rampart('drift --emulator --since before.json');
  expect({ code, out }).toEqual({ code: 3, out: '' });
  expect(err).toContain(message);
  expect(err).toContain('--> before.json:1:1');
  expect(err).toMatch(/ = create (one with|the plan again): rampart /);
  expect(err).not.toContain('Invalid input');
});
