import { describe, expect, it } from 'vitest';
import { givenService, workplace } from '../given/command-line.ts';

const names = {
  escape: 'esc\u001b[31mred\u001b]0;title\u0007',
  newline: 'two\nlines\r\nhere',
  direction: 'safe\u202egnp.exe\u2066',
  zero: 'in\u200bvisible\u0000\u00ad',
  c1: 'c1\u009b31m',
  long: 'L'.repeat(255),
};
const fleet = {
  groups: [{ id: '17', name: `group ${names.escape}` }],
  hosts: Object.values(names).map((name, index) => ({
    id: String(index + 1),
    name,
    groupId: index === 0 ? '17' : '-1',
  })),
};
const desired = `version: 1
hosts:
${Object.keys(names)
  .map((_, index) => `  - { id: ${index + 1}, name: GOOD-${index + 1}, group: { id: 17 } }`)
  .join('\n')}
`;

describe('names from the service reach the terminal as symbols', () => {
  for (const argv of [
    ['hosts'],
    ['hosts', 'groups'],
    ['plan'],
    ['apply', '--auto-approve'],
    ['apply', '--auto-approve', '-v'],
  ]) {
    for (const columns of [40, 80, 200]) {
      it(`${argv.join(' ')} in ${columns} columns`, async () => {
        const { rampart, write } = await workplace();
        const { env } = await givenService(fleet);
        await write('fleet.yaml', desired);
        const ran = await rampart(argv, { env: { ...env, NO_COLOR: '1' }, terminal: true, columns });
        expect(ran.code).toBe(0);
        expect(ran.out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
        // Progress overwrites its own line: carriage return and erase, and nothing else.
        expect(ran.err.replaceAll('\r\u001b[K', '')).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
      });
    }
  }

  it('as messages too', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 6, name: "two\\nlines\\r\\nhere" }\n');
    const ran = await rampart(['plan'], { env });
    expect(ran.code).toBe(3);
    expect(`${ran.out}${ran.err}`).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
  });
});

describe('JSON keeps names as they are', () => {
  it('hosts --json', async () => {
    const { rampart } = await workplace();
    const { env } = await givenService(fleet);
    const { out } = await rampart(['hosts', '--json'], { env });
    expect((JSON.parse(out) as { readonly name: string }[]).map((host) => host.name)).toEqual(
      Object.values(names),
    );
  });

  it('apply --json is one event to a line', async () => {
    const { rampart, write } = await workplace();
    const { env } = await givenService(fleet);
    await write('fleet.yaml', desired);
    const { out, code } = await rampart(['apply', '--auto-approve', '--json'], { env });
    expect(code).toBe(0);
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string });
    expect(events[0]?.type).toBe('version');
    expect(events.at(-1)?.type).toBe('change_summary');
    expect(new Set(events.map((event) => event.type))).toContain('planned_change');
  });
});
