import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RampartCore, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

/** The process of a plan, and one of its apply, on one service and one folder for state. */
async function processes() {
  const state_dir = mkdtempSync(join(tmpdir(), 'state-'));
  onTestFinished(() => rmSync(state_dir, { recursive: true, force: true }));
  const config = { state_dir, max_wait: '1s' };
  const planning = await rampartCore(
    {
      groups: [{ id: '17', name: 'Servers' }],
      hosts: ['1', '2', '3', '4'].map((id) => ({ id, name: `H${id}` })),
    },
    { config },
  );
  const { url, emulator } = planning;
  const applying = () => rampartCore({}, { config }, async () => ({ url, port: 0, close: async () => {} }));
  return { planning, applying, emulator };
}

const calls = (core: RampartCore, type: string) => resourceCalls(core, type);

describe('with Terraform 1.16, which passes the private data of a plan to its apply,', () => {
  test.each([
    [
      'rampart_host',
      { host_id: '1', name: 'NEW' },
      'its name was "H1" in the plan, and its name is "BY-HAND" now',
    ],
    [
      'rampart_group_members',
      { group: 'Servers', host_ids: ['1'] },
      'the moves of host 1 are not as it showed them',
    ],
    [
      'rampart_fleet',
      { content: 'version: 1\nhosts:\n  - { id: 1, name: BY-HAND }\n' },
      'The fleet has changed since the plan, and now needs another one: 1 rename (1 call) in the plan, no changes now',
    ],
  ])('a change by someone else is an ordinary error of %s', async (type, config, message) => {
    const { planning, applying, emulator } = await processes();
    const planned = await calls(planning, type).plan({ config });
    expect(planned.errors).toEqual([]);
    const same = await calls(await applying(), type).plan({ config, approved: planned.stored });
    expect([same.errors, same.planned]).toEqual([[], planned.planned]);
    emulator.edit({ kind: 'rename', id: '1', name: 'BY-HAND' });
    const { errors } = await calls(await applying(), type).plan({ config, approved: planned.stored });
    expect(errors).toEqual([expect.stringContaining(message)]);
  });

  test('a chain of hosts that the plan adopts is renamed one resource at a time', async () => {
    const { planning, applying, emulator } = await processes();
    const hosts = ['1', '2', '3', '4'].map((id) => ({ host_id: id, name: `H${Number(id) + 1}` }));
    const plans = await Promise.all(hosts.map((config) => calls(planning, 'rampart_host').plan({ config })));
    const core = calls(await applying(), 'rampart_host');
    for (const [index, config] of hosts.entries()) {
      const again = await core.plan({ config, approved: plans[index]?.stored ?? new Uint8Array() });
      const done = await core.apply({ prior: null, planned: again.planned });
      expect([again.warnings, done.errors]).toEqual([[], []]);
    }
    expect(emulator.state().hosts.map(({ name }) => name)).toEqual(['H2', 'H3', 'H4', 'H5']);
  });
});
