import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/core/lib/display-width.ts';
import { connected } from '../given/command-line.ts';

const hosts = Array.from({ length: 60 }, (_, index) => ({ id: `${1000 + index}`, name: `HOST-${index}` }));
const fleet = { groups: [{ id: '17', name: 'Berlin' }], hosts };
const desired = 'version: 1\nrules:\n  - { name: up, when: "true", rename: "new-${host.id}" }\n';
const limited = {
  faults: [{ action: 'listHostsWithGroups', nth: [1], effect: { kind: 'rate-limit', retryDelay: 42 } }],
} as const;

describe('progress on a terminal', () => {
  it('is one line that is never wider than the terminal and disappears at the end', async () => {
    for (const columns of [40, 80, 200]) {
      const place = await connected(fleet, limited, { 'fleet.yaml': desired });
      const { code, err } = await place.rampart('apply --auto-approve', { terminal: true, columns });
      expect(code).toBe(0);
      const drawn = err.split('\r\u001b[K').flatMap((part) => part.split('\n').slice(-1));
      for (const line of drawn) expect(displayWidth(line)).toBeLessThan(columns);
      expect(err).toContain('reading the fleet · waiting 42 s');
      expect(err).toMatch(/\d+ of 60 done/);
      expect(err.endsWith('\r\u001b[K')).toBe(true);
    }
  });

  it('counts the seconds of a wait down, and says for what', async () => {
    const place = await connected(fleet, limited);
    const { err } = await place.rampart('hosts', { terminal: true, columns: 120 });
    expect(err).toContain('waiting 42 s for the list limit');
    expect(err).toContain('waiting 7 s for the list limit');
  });

  it('counts failures, and leaves each on a line of its own', async () => {
    const place = await connected(fleet, {
      faults: [
        { action: 'renameHost', nth: [3], effect: { kind: 'status', status: 400, text: '{"message":"no"}' } },
        // The line is drawn during a wait, however fast the calls are.
        { action: 'renameHost', nth: [30], effect: { kind: 'rate-limit', retryDelay: 5 } },
      ],
    });
    await place.write('fleet.yaml', desired);
    const { code, err } = await place.rampart('apply --auto-approve', { terminal: true, columns: 120 });
    expect(code).toBe(5);
    expect(stripVTControlCharacters(err)).toMatch(/failed: rename HOST-\d+ → new-\d+ \(host \d+\)\n/);
    expect(err).toMatch(/\d+ of 60 done, 1 failed/);
  });

  it.each<readonly [string, readonly string[], Record<string, string>, boolean]>([
    ['with --quiet', ['-q'], {}, true],
    ['in CI', [], { CI: 'true' }, true],
    ['in a pipeline that sets no CI', [], { TF_BUILD: 'True' }, true],
    ['on a dumb terminal', [], { TERM: 'dumb' }, true],
    ['without a terminal', [], {}, false],
  ])('is not drawn %s', async (_what, flags, more, terminal) => {
    const place = await connected(fleet, limited, { 'fleet.yaml': desired });
    const { code, err } = await place.rampart([...flags, 'apply', '--auto-approve'], {
      env: { ...more },
      terminal,
    });
    expect(code).toBe(0);
    expect(err).not.toMatch(/\r/);
    expect(err).not.toContain('\u001b[K');
    if (flags.length > 0) expect(err).toBe('');
    else {
      expect(err).toContain('Waiting 42 s for the list limit.');
      expect(err).toContain('[60/60] done: rename');
      expect(err.match(/^\[/gm)?.length).toBeLessThan(30);
    }
  });

  it('gives way to all other output', async () => {
    const place = await connected(fleet, limited, { 'fleet.yaml': desired });
    const { err } = await place.rampart('-v apply --auto-approve', { terminal: true, columns: 100 });
    const lines = err.split('\n');
    for (const line of lines) {
      const last = line.split('\r\u001b[K').at(-1) ?? '';
      expect(stripVTControlCharacters(last)).not.toMatch(/done.*(PUT|GET) /);
    }
  });
});

it('-v logs each call with its attempt and its wait', async () => {
  const place = await connected(fleet, limited);
  const { err } = await place.rampart('-v hosts');
  expect(err).toMatch(/^GET \/public-api\/v2\/hostswithgroups → 429 in \d+ ms$/m);
  expect(err).toMatch(/^GET \/public-api\/v2\/hostswithgroups → 200 in \d+ ms, attempt 2, after 42 s$/m);
});

describe('the summary of a run', () => {
  it('counts calls that the emulator rate-limits separately', async () => {
    const place = await connected(fleet, {
      faults: [{ action: 'renameHost', nth: [1, 2], effect: { kind: 'rate-limit', retryDelay: 1 } }],
    });
    await place.write('fleet.yaml', desired);
    const { out } = await place.rampart('apply --auto-approve');
    expect(out).toContain('Apply: 60 of 60 steps done; 60 calls sent, and 2 more refused by a rate limit.');
  });

  it('reports waits and refusals to machines too', async () => {
    const place = await connected(fleet, {
      faults: [{ action: 'renameHost', nth: [1], effect: { kind: 'rate-limit', retryDelay: 5 } }],
    });
    await place.write('fleet.yaml', desired);
    const { out } = await place.rampart('apply --auto-approve --json');
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'apply_progress', waiting_for: 'renameHost', wait_ms: 5000 }),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'change_summary',
      calls_rate_limited: { rename: 1, move: 0 },
    });
  });
});
