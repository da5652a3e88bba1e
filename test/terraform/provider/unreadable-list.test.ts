import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/core/lib/surroundings.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import type { RecordValue } from '../../../src/terraform/protocol/value/value.ts';
import { type RampartCore, rampartCore } from './given/rampart-core.ts';
import { resourceCalls } from './given/resource-calls.ts';

/** A list that can't be used is read again after seconds, which pass twenty times as fast here. */
const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 20, signal) };

/** A service whose list has this many hosts with an id beyond 63 bits. */
const serviceWith = (unreadable: number) =>
  rampartCore(
    {
      hosts: Array.from({ length: 10 }, (_, at) => ({
        id: at < unreadable ? `922337203685477581${at}` : String(at + 1),
        name: `H${at + 1}`,
      })),
    },
    { clock },
  );

const refused = /3 of 10 hosts can't be read, so nothing of the list is used/;

const configs: readonly (readonly [type: string, RecordValue])[] = [
  ['rampart_host', { host_id: '10', name: 'NEW' }],
  ['rampart_fleet', { host: [{ id: '10', name: 'NEW' }] }],
];

async function planned(core: RampartCore, type: string, config: RecordValue): Promise<readonly string[]> {
  const { errors } = await resourceCalls(core, type).plan({ config });
  return errors;
}

describe('a list in which too many hosts are unreadable', () => {
  test.each(configs)('refuses the plan of a %s', async (type, config) => {
    const core = await serviceWith(3);
    expect((await planned(core, type, config)).join('\n')).toMatch(refused);
    expect(core.emulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(await planned(await serviceWith(2), type, config)).toEqual([]);
  });

  test('refuses an apply that was planned before, which sends no write', async () => {
    const core = await rampartCore({ hosts: [{ id: '10', name: 'H10' }] });
    const host = resourceCalls(core, 'rampart_host');
    const { planned: plan, private: remembered } = await host.plan({
      config: { host_id: '10', name: 'NEW' },
    });
    const later = await serviceWith(3);
    const from = later.emulator.requests.length;
    const applied = await resourceCalls(later, 'rampart_host').apply({
      prior: null,
      planned: plan,
      ...(remembered === undefined ? {} : { private: remembered as object }),
    });
    expect(JSON.stringify(applied)).toMatch(refused);
    expect(later.emulator.requests.slice(from).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('refuses to list hosts', async () => {
    const core = await serviceWith(3);
    const typeName = 'rampart_host';
    const events = await core.events('ListResource', { typeName, config: core.configOf(typeName, {}) });
    expect(events.flatMap(({ diagnostic }) => diagnostic.map(({ summary }) => summary)).join()).toMatch(
      refused,
    );
    expect(events.filter(({ displayName }) => displayName !== '')).toEqual([]);
  });
});
