import { ok } from '../../src/core/problem/problem.ts';
import type { RunQuery, State } from '../../src/run/state/interface/state.ts';
import type { Run } from '../../src/run/state/journal/parse-run.ts';
import type { JournalRecord, RunRecord } from '../../src/run/state/journal/record.ts';
import { digestOf, type RunDigest } from '../../src/run/state/journal/run-digest.ts';

const start = Date.parse('2026-11-21T09:00:00.000Z');

/** A time some seconds after the start of all given runs (RFC 3339). */
export const timeAt = (seconds: number): string => new Date(start + seconds * 1000).toISOString();

export function givenHead(seconds: number, parts: Partial<RunRecord> = {}): RunRecord {
  const time = timeAt(seconds);
  return {
    type: 'run',
    format_version: '1.2',
    run_id: `${time.replaceAll(/[-:.]/g, '')}-aaaaaa`,
    at: time,
    account: { company_id: '42', service: 'https://service.example' },
    plan_checksum: 'c',
    steps: 1,
    fleet_size: 10,
    ...parts,
  };
}

/** A run that began this many seconds after the start of all given runs. */
export function givenRun(
  seconds: number,
  records: readonly JournalRecord[] = [],
  parts: Partial<RunRecord> = {},
): Run {
  const head = givenHead(seconds, parts);
  return { head, records: [head, ...records], torn: false };
}

export function givenDigest(seconds: number, parts: Partial<RunDigest> = {}): RunDigest {
  return { ...digestOf(givenRun(seconds)), ...parts };
}

export function givenBegin(
  id: string,
  kind: Extract<JournalRecord, { type: 'begin' }>['kind'],
  hosts: readonly string[],
  seconds = 1,
): JournalRecord {
  return {
    type: 'begin',
    at: timeAt(seconds),
    step: id,
    kind,
    changes: hosts.map((host) => ({ host_id: host })),
  };
}

/** A state with only the parts that a test needs. */
export function partialState(parts: Partial<State>): State {
  const missing = (name: string) => () => {
    throw new Error(`${name} was not expected`);
  };
  return new Proxy({ clockSkewMs: async () => ok(0), ...parts } as State, {
    get: (target, name) => Reflect.get(target, name) ?? missing(String(name)),
  });
}

/** Lists runs as a backend does: the latest first, and at most the requested number. */
export function listing(runs: readonly RunDigest[], queries: RunQuery[] = []): State['listRuns'] {
  return async (query) => {
    queries.push(query);
    const { before, limit } = query;
    return ok(
      runs.filter(({ head }) => before === undefined || head.run_id < before).slice(0, limit ?? runs.length),
    );
  };
}
