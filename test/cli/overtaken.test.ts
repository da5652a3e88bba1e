import { expect, it } from 'vitest';
import { givenService, workplace } from '../given/command-line.ts';

const file = (name: string) => `version: 1\nhosts:\n  - { id: 1, name: ${name} }\n`;

it('apply, if another run is faster reads the fleet again, and refuses a plan that no longer fits', async () => {
  const { env } = await givenService({ hosts: [{ id: '1', name: 'old' }] });
  const { clock, rampart, write } = await workplace({ 'first.yaml': file('first') });
  await write('second.yaml', file('second'));
  expect(
    await rampart(['apply', '-f', 'second.yaml'], {
      env,
      answer: async () => {
        await clock.sleep(1000);
        expect((await rampart(['apply', '-f', 'first.yaml', '--auto-approve'], { env })).code).toBe(0);
        await clock.sleep(1000);
        return 'yes';
      },
    }),
  ).toExit(7, '"first"');
  expect((await rampart(['hosts', '--json'], { env })).out).toContain('"name": "first"');
});
