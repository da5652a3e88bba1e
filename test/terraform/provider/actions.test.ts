import '../../tiers/uses-a-system.ts';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RecordValue, unknownValue } from '../../../src/terraform/protocol/value/value.ts';
import { type CoreOptions, type RampartCore, rampartCore } from './given/rampart-core.ts';

const hosts = [
  { id: '1', name: 'A', antivirus: { installed: false } },
  { id: '2', name: 'B', antivirus: { installed: true } },
  { id: '3', name: 'C', online: false, antivirus: { installed: false } },
  { id: '4', name: 'D', antivirus: { supported: false } },
  { id: '5', name: 'E', inSession: true, inventory: { hardware: { serviceTag: 'TAG-5' } } },
];

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'actions-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const core = (options: CoreOptions = {}) => rampartCore({ hosts }, options);

/** The three calls of Terraform for one action. */
function action(provider: RampartCore, actionType: string) {
  const texts = (diagnostics: readonly { readonly summary: string; readonly detail: string }[]) =>
    diagnostics.map(({ summary, detail }) => `${summary} | ${detail}`);
  const request = (config: RecordValue) => ({
    actionType,
    config: provider.configOf(actionType, config),
    clientCapabilities: {},
  });
  return {
    validate: async (config: RecordValue) =>
      texts((await provider.call('ValidateActionConfig', request(config))).diagnostics),
    plan: async (config: RecordValue) =>
      texts((await provider.call('PlanAction', request(config))).diagnostics),
    invoke: async (config: RecordValue, onProgress?: (message: string, cancel: () => void) => void) => {
      const from = provider.emulator.requests.length;
      const events = await provider.events('InvokeAction', request(config), (event, cancel) => {
        if (event.progress !== undefined) onProgress?.(event.progress.message, cancel);
      });
      return {
        progress: events.flatMap(({ progress }) => (progress === undefined ? [] : [progress.message])),
        errors: texts(events.at(-1)?.completed?.diagnostics ?? []),
        writes: provider.emulator.requests
          .slice(from)
          .flatMap(({ action: name, method }) => (method === 'GET' ? [] : [name])),
      };
    },
  };
}

describe('rampart_antivirus_refresh', () => {
  const type = 'rampart_antivirus_refresh';

  test('refreshes all hosts in one call, and reports its progress', async () => {
    const { plan, invoke } = action(await core(), type);
    expect(await plan({ host_ids: ['1', '2'] })).toEqual([]);
    expect(await invoke({ host_ids: ['1', '2'] })).toEqual({
      progress: ['Asking 2 hosts to report', '2 of 2 hosts received the command'],
      errors: [],
      writes: ['refreshAntivirusStatus'],
    });
  });

  test('fails for hosts that may not have received the command, and names them', async () => {
    const { invoke } = action(await core(), type);
    const { errors, progress } = await invoke({ host_ids: ['1', '3'] });
    expect(progress.at(-1)).toBe('1 of 2 hosts received the command');
    expect(errors).toEqual([
      expect.stringContaining('1 of 2 hosts may not have received the command: 3 (not-delivered)'),
    ]);
  });

  test('refuses invalid ids', async () => {
    const { validate } = action(await core(), type);
    expect((await validate({ host_ids: ['1', 'A'] }))[0]).toContain('1 of host_ids are not host ids');
    expect(await validate({ host_ids: unknownValue() })).toEqual([]);
  });

  test('sends nothing with a read-only provider', async () => {
    const { invoke } = action(await core({ config: { read_only: true } }), type);
    const { errors, writes } = await invoke({ host_ids: ['1'] });
    expect(errors[0]).toMatch(/read-only/i);
    expect(writes).toEqual([]);
  });

  test('sends nothing if the operator requires signed plans, whatever the provider block says', async () => {
    const env = { RAMPART_REQUIRE_SIGNATURE: 'alice' };
    const { invoke } = action(await core({ env, config: { read_only: false } }), type);
    const { errors, writes } = await invoke({ host_ids: ['1'] });
    expect(errors[0]).toContain('only signed plans may change hosts here');
    expect(errors[0]).toContain('unset RAMPART_REQUIRE_SIGNATURE for Terraform');
    expect(writes).toEqual([]);
  });
});

describe('rampart_antivirus_install', () => {
  const type = 'rampart_antivirus_install';
  const approved = (count: number) => ({ host_ids: ['1', '2', '3'], acks: { antivirus: count } });

  test('needs an approval of the exact number of installs, in the plan and in the apply', async () => {
    const { plan, invoke } = action(await core(), type);
    const [missing] = await plan({ host_ids: ['1', '2', '3'] });
    expect(missing).toContain('requests the anti-virus on 2 hosts, which needs an approval');
    expect(missing).toContain('host 1 "A", host 3 "C"');
    expect(missing).toContain('acks = { antivirus = 2 }');
    for (const count of [1, 3]) {
      expect((await plan(approved(count)))[0]).toContain(`acks approves ${count}`);
      const { errors, writes } = await invoke(approved(count));
      expect({ errors: errors.length, writes }).toEqual({ errors: 1, writes: [] });
    }
    expect(await plan(approved(2))).toEqual([]);
  });

  test('requests exactly the approved installs, in one call', async () => {
    const provider = await core();
    const { invoke } = action(provider, type);
    expect(await invoke(approved(2))).toEqual({
      progress: ['Requesting the anti-virus on 2 hosts', 'The service accepted 2 of 2 requests'],
      errors: [],
      writes: ['installAntivirus'],
    });
    expect([...provider.emulator.installs]).toEqual([
      ['1', 1],
      ['3', 1],
    ]);
  });

  test('refuses an approval in the apply if the fleet has changed since the plan', async () => {
    const provider = await core({ config: { max_age: '0s' } });
    const { plan, invoke } = action(provider, type);
    expect(await plan(approved(2))).toEqual([]);
    provider.emulator.edit({ kind: 'delete', id: '3' });
    const { errors, writes } = await invoke(approved(2));
    expect(errors[0]).toContain('Host 3');
    expect(writes).toEqual([]);
  });

  test('needs no approval if there is nothing to install, and refuses one', async () => {
    const { plan, invoke } = action(await core(), type);
    expect(await plan({ host_ids: ['2'] })).toEqual([]);
    expect(await plan({ host_ids: ['2'], acks: { antivirus: 0 } })).toEqual([]);
    expect((await plan({ host_ids: ['2'], acks: { antivirus: 1 } }))[0]).toContain(
      'Remove antivirus from acks',
    );
    expect((await invoke({ host_ids: ['2'] })).writes).toEqual([]);
  });

  test('refuses hosts that do not exist or do not support the anti-virus, and other kinds of approval', async () => {
    const { plan, validate } = action(await core(), type);
    const problems = await plan({ host_ids: ['4', '77'], acks: { antivirus: 2 } });
    expect(problems.join('\n')).toMatch(/host 4 does not support the anti-virus[\s\S]*77/i);
    expect((await validate({ host_ids: ['1'], acks: { delete: 1 } }))[0]).toContain('takes only antivirus');
    expect(await plan({ host_ids: [unknownValue()] })).toEqual([]);
  });

  test('reports an install that may have been requested as in doubt, and does not repeat it', async () => {
    const state = { state_dir: join(folder, 'doubt') };
    const faults = [{ action: 'installAntivirus', nth: 1, effect: { kind: 'status', status: 500 } }] as const;
    const provider = await core({ config: state, faults });
    const { invoke } = action(provider, type);
    const first = await invoke({ host_ids: ['1'], acks: { antivirus: 1 } });
    expect(first.errors[0]).toContain('may have been requested');
    const second = await invoke({ host_ids: ['1'], acks: { antivirus: 1 } });
    expect(second.errors[0]).toContain('may have been requested');
    expect(second.writes).toEqual([]);
  });
});

describe('rampart_inventory_pull', () => {
  const type = 'rampart_inventory_pull';

  test('stores the inventory in state_dir, where data sources find it', async () => {
    const config = { state_dir: join(folder, 'pulled') };
    const provider = await core({ config });
    const { plan, invoke } = action(provider, type);
    expect(await plan({ kinds: ['hardware'] })).toEqual([]);
    const { progress, errors, writes } = await invoke({ kinds: ['hardware'] });
    expect({ errors, writes }).toEqual({ errors: [], writes: ['createHardwareReport'] });
    expect(progress[0]).toContain('Fetching the hardware inventory of 5 hosts');
    expect(progress.at(-1)).toBe('Stored the hardware inventory of 1 of 5 hosts');
    const again = await invoke({ host_ids: ['5'], kinds: ['hardware'], max_age: '1h' });
    expect(again).toMatchObject({ errors: [], writes: [] });
  });

  test('without a config block fetches both inventories of all hosts', async () => {
    const provider = await core({ config: { state_dir: join(folder, 'both') } });
    const events = await provider.events('InvokeAction', { actionType: type });
    expect(events.at(-1)?.completed).toEqual({ diagnostics: [] });
    const stored = events
      .flatMap(({ progress }) => progress?.message ?? [])
      .filter((each) => each.startsWith('Stored'));
    expect(stored).toHaveLength(2);
  });

  test('without a place for the inventory is refused, and sends nothing', async () => {
    const { plan, invoke } = action(await core(), type);
    expect((await plan({}))[0]).toContain('Set state_dir in the provider block, or add a state block');
    const { errors, writes } = await invoke({});
    expect({ errors: errors.length, writes }).toEqual({ errors: 1, writes: [] });
  });

  test('refuses unknown kinds, and fields for two kinds', async () => {
    const { validate } = action(await core(), type);
    expect((await validate({ kinds: ['software'] }))[0]).toContain('any of "hardware" and "system"');
    expect((await validate({ fields: ['ServiceTag'] }))[0]).toContain('needs exactly one of the kinds');
    expect(await validate({ fields: ['ServiceTag'], kinds: ['hardware'] })).toEqual([]);
  });

  test('ends when Terraform cancels it', async () => {
    const faults = [{ action: 'createHardwareReport', effect: { kind: 'status', status: 429 } }] as const;
    const provider = await core({ config: { state_dir: join(folder, 'cancelled') }, faults });
    const { invoke } = action(provider, type);
    const { errors } = await invoke({ kinds: ['hardware'] }, (_message, cancel) => cancel());
    expect(errors.join('\n')).toMatch(/cancelled/i);
  });
});

describe('rampart_connection_ticket as an action', () => {
  const type = 'rampart_connection_ticket';

  test('writes the ticket to a file that only you can read, and shows nothing of it', async () => {
    const provider = await core();
    const file = join(folder, 'ticket.json');
    const { plan, invoke } = action(provider, type);
    expect(await plan({ host_id: '1', file })).toEqual([]);
    const { progress, errors, writes } = await invoke({ host_id: '1', file });
    expect({ errors, writes }).toEqual({ errors: [], writes: ['connectHost'] });
    const ticket = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(Object.keys(ticket)).toEqual(['gateway_url', 'session_ticket_id']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(progress).toEqual([`Wrote the ticket for host 1 to ${file}`]);
    for (const secret of Object.values(ticket)) expect(progress.join()).not.toContain(secret);
  });

  test('replaces an earlier ticket, and a link to one instead of writing through it', async () => {
    const [target, file] = [join(folder, 'earlier.json'), join(folder, 'link.json')];
    const { invoke } = action(await core(), type);
    expect((await invoke({ host_id: '1', file: target })).errors).toEqual([]);
    const earlier = readFileSync(target, 'utf8');
    symlinkSync(target, file);
    expect((await invoke({ host_id: '1', file })).errors).toEqual([]);
    expect(readFileSync(target, 'utf8')).toBe(earlier);
    expect(lstatSync(file).isFile()).toBe(true);
    expect((await invoke({ host_id: '1', file: target })).errors).toEqual([]);
  });

  test.each(['a file', 'a link to a file'])(
    'keeps %s that is no earlier ticket, and requests none',
    async (what) => {
      const [target, link] = [join(folder, `${what}.yaml`), join(folder, `${what}.json`)];
      writeFileSync(target, 'version: 2');
      symlinkSync(target, link);
      const { errors, writes } = await action(await core(), type).invoke({
        host_id: '1',
        file: what === 'a file' ? target : link,
      });
      expect(errors[0]).toContain('would overwrite a file that is not an earlier ticket');
      expect(writes).toEqual([]);
      expect([readFileSync(target, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['version: 2', true]);
    },
  );

  test('requests no ticket that it could not write', async () => {
    const file = join(folder, 'nowhere/ticket.json');
    const { errors, writes } = await action(await core(), type).invoke({ host_id: '1', file });
    expect(errors[0]).toContain("can't be written");
    expect(writes).toEqual([]);
  });

  test('fails for a host that is offline or in a session, and writes no file', async () => {
    const file = join(folder, 'none.json');
    const { invoke } = action(await core(), type);
    expect((await invoke({ host_id: '3', file })).errors[0]).toContain('offline');
    expect((await invoke({ host_id: '5', file })).errors[0]).toContain('already connected');
    expect(existsSync(file)).toBe(false);
    expect((await invoke({ host_id: '5', file, fail_when_in_session: false })).errors).toEqual([]);
  });

  test('refuses an invalid id and a blank file name', async () => {
    const { validate } = action(await core(), type);
    expect(await validate({ host_id: 'A', file: ' ' })).toHaveLength(2);
  });
});
