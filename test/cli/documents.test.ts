import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { plansJsonSchema } from '../../src/accounts/plans/plans-index.ts';
import { rolloutEventJsonSchema } from '../../src/accounts/rollouts/rollout-event-schema.ts';
import { toPlanDocument } from '../../src/core/plan/document/plan-document.ts';
import { planJsonSchema } from '../../src/core/plan/document/plan-schema.ts';
import { makePlan } from '../../src/core/plan/make-plan.ts';
import { eventJsonSchema } from '../../src/output/review/event-schema.ts';
import { givenGroups, reorganizations } from '../given/arbitrary-fleet.ts';
import { casesOf } from '../given/cases.ts';
import { connected, workplace } from '../given/command-line.ts';
import { givenDesired } from '../given/desired.ts';
import { at, givenFleet } from '../given/fleet.ts';
import { richPlan } from '../given/report-plans.ts';
import { closed, schemaJudge } from '../given/schema-judge.ts';

/** Closed: a field that the program writes and that is missing from the schema is a fault of the schema. */
const planFlaws = schemaJudge(closed(planJsonSchema()));
const openPlanFlaws = schemaJudge(planJsonSchema());
const eventFlaws = schemaJudge(closed(eventJsonSchema()));

const fleet = {
  hosts: [
    { id: '1', name: 'one', groupId: '10' },
    { id: '2', name: 'two', groupId: '10' },
    { id: '3', name: 'three', groupId: '11' },
    { id: '4', name: 'old', groupId: '11' },
    { id: '5', name: 'name-conflict', groupId: '11' },
  ],
  groups: [
    { id: '10', name: 'Office' },
    { id: '11', name: 'Store' },
  ],
};

const everything = `version: 1
policy:
  windows:
    - { name: always, only: "Mon-Sun 00:00-24:00 UTC" }
  freeze:
    - { name: long ago, from: 2020-01-01T00:00:00Z, until: 2020-01-02T00:00:00Z, message: Stocktaking. }
hosts:
  - { id: 1, name: two }
  - { id: 2, name: one }
  - { id: 3, name: three, group: Office, antivirus: installed }
  - { id: 4, ensure: absent }
  - { name: not-there-yet }
`;

interface Event {
  readonly type: string;
}

function eventsOf(out: string): readonly Event[] {
  return out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Event);
}

function expectEvents(out: string): readonly string[] {
  const events = eventsOf(out);
  for (const event of events) expect(eventFlaws(event), JSON.stringify(event)).toEqual([]);
  return [...new Set(events.map(({ type }) => type))];
}

const place = (faults: Parameters<typeof connected>[1] = {}) =>
  connected(fleet, faults, { 'fleet.yaml': everything });

describe('the schemas in the repository', () => {
  test.each([
    ['plan', planJsonSchema()],
    ['plans', plansJsonSchema()],
    ['event', eventJsonSchema()],
    ['rollout-event', rolloutEventJsonSchema()],
  ])('of %s documents is up to date, and is what the command prints', async (name, schema) => {
    const written = readFileSync(new URL(`../../schema/${name}.schema.json`, import.meta.url), 'utf8');
    expect(written).toBe(`${JSON.stringify(schema, null, 2)}\n`);
    const { rampart } = await workplace();
    expect(JSON.parse((await rampart(['schema', name])).out)).toEqual(schema);
  });

  it('of nothing else are printed', async () => {
    const { rampart } = await workplace();
    expect(await rampart('schema runs')).toExit(3, 'fleet, config, plan, plans, event, rollout-event');
  });
});

describe('the schema of a plan', () => {
  it('fits every reorganization', () =>
    fc.assert(
      fc.property(reorganizations, ({ hosts, entries }) => {
        const plan = makePlan({
          desired: givenDesired(entries),
          observed: givenFleet(hosts, givenGroups),
          account: { companyId: '1', service: 'emulator' },
          now: at,
        });
        expect(planFlaws(JSON.parse(JSON.stringify(toPlanDocument(plan))))).toEqual([]);
      }),
      casesOf(240),
    ));

  it('fits a plan with every kind of change and problem', () =>
    expect(planFlaws(toPlanDocument(richPlan()))).toEqual([]));

  test.each([
    ['with policies', ['plan', '--json']],
    ['with a deletion that is agreed to', ['plan', '--json', '--ack', 'delete=1']],
    ['that was rehearsed', ['plan', '--json', '--rehearse']],
    ['compared with its base', ['plan', '--json', '--base', 'base.yaml']],
    ['with a forecast', ['plan', '--json', '--assume-rate', '50', '--assume-latency', '100ms']],
    ['of some hosts', ['plan', '--json', '--target', '1']],
  ])('fits a plan %s', async (_, argv) => {
    const { rampart, write } = await place();
    await write('base.yaml', 'version: 1\nhosts:\n  - { id: 1, name: two }\n  - { id: 2, name: one }\n');
    const { out, err } = await rampart(argv);
    expect(out, err).not.toBe('');
    expect(planFlaws(JSON.parse(out))).toEqual([]);
  });

  test.each([
    ['an id that is a number', (plan: object) => ({ ...plan, account: { company_id: 7, service: 'x' } })],
    ['no steps', (plan: object) => ({ ...plan, steps: undefined })],
    ['a step of another kind', (plan: object) => ({ ...plan, steps: [{ kind: 'rebuild', id: 's1' }] })],
    ['a checksum that is none', (plan: object) => ({ ...plan, checksum: 'abc' })],
    ['a time that is none', (plan: object) => ({ ...plan, created_at: 'yesterday' })],
  ])('refuses %s', (_, spoil) => {
    const document = toPlanDocument(richPlan());
    expect(openPlanFlaws(document)).toEqual([]);
    expect(openPlanFlaws(spoil(document))).not.toEqual([]);
  });

  it('fits a plan over its limits', async () => {
    const { rampart, write } = await place();
    await write('fleet.yaml', everything.replace('policy:', 'policy:\n  limits: { delete: 0, rename: 1 }'));
    const { code, out } = await rampart('plan --json');
    expect(code).toBe(6);
    const plan = JSON.parse(out);
    expect(plan.breaches).toHaveLength(2);
    expect(planFlaws(plan)).toEqual([]);
  });

  it('allows the members that a later minor version adds', () => {
    expect(openPlanFlaws({ ...toPlanDocument(richPlan()), mood: 'fine' })).toEqual([]);
    expect(planFlaws({ ...toPlanDocument(richPlan()), mood: 'fine' })).not.toEqual([]);
  });
});

describe('the schema of events', () => {
  const apply = ['apply', '--auto-approve', '--json', '--ack', 'delete=1'];

  it('fits a run that does all of it', async () => {
    const { rampart } = await place();
    const { code, out, err } = await rampart(apply);
    expect(code, err + out).toBe(0);
    expect(expectEvents(out)).toEqual(
      'version planned_change apply_start apply_complete change_summary'.split(' '),
    );
  });

  it('fits a run that has nothing to do', async () => {
    const { rampart, write } = await place();
    await write('fleet.yaml', 'version: 1\nhosts:\n  - { id: 1, name: one }\n');
    const { code, out } = await rampart('apply --auto-approve --json');
    expect(code).toBe(0);
    expect(expectEvents(out)).toEqual(['version', 'change_summary']);
  });

  it('fits a run whose calls are refused', async () => {
    const { rampart } = await place({
      faults: [{ action: 'renameHost', effect: { kind: 'status', status: 400 } }],
    });
    const { code, out } = await rampart(apply);
    expect(code).toBe(5);
    expect(expectEvents(out)).toEqual(expect.arrayContaining(['apply_errored', 'diagnostic']));
  });

  it('fits a run that waits for its turn, and counts what was refused', async () => {
    const { rampart } = await place({
      faults: [{ action: 'renameHost', nth: [1, 2], effect: { kind: 'rate-limit', retryDelay: 5 } }],
    });
    const { code, out } = await rampart(apply);
    expect(code).toBe(0);
    expect(expectEvents(out)).toContain('apply_progress');
    expect(eventsOf(out).at(-1)).toMatchObject({
      type: 'change_summary',
      calls_rate_limited: expect.objectContaining({ rename: 2 }),
    });
  });

  it('fits a run that stops at a deadline', async () => {
    const { rampart } = await place({
      faults: [{ action: 'writes', effect: { kind: 'slow-reply', ms: 2000 } }],
    });
    const { out } = await rampart([...apply, '--deadline', '3s']);
    expectEvents(out);
    expect(eventsOf(out).at(-1)).toMatchObject({ type: 'change_summary' });
  });

  test.each([
    ['of a type that is not there', { type: 'apply_paused', at: '2026-11-21T09:00:00Z' }],
    ['without its time', { type: 'version', format_version: '1.1', plan_format_version: '1.1' }],
    [
      'that is complete and failed',
      {
        type: 'apply_complete',
        at: '2026-11-21T09:00:00Z',
        step: 's1',
        kind: 'rename',
        outcome: 'failed',
        done: 1,
        of: 1,
      },
    ],
  ])('refuses an event %s', (_, event) => expect(eventFlaws(event)).not.toEqual([]));
});
