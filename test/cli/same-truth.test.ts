import { expect, it } from 'vitest';
import type { EmulatorOptions } from '../../src/service/emulator/emulator.ts';
import type { FleetParts } from '../../src/service/emulator/fleet-state.ts';
import {
  type GivenService,
  givenService,
  type Ran,
  type Workplace,
  workplace,
} from '../given/command-line.ts';

const fleet: FleetParts = {
  groups: [{ id: '17', name: 'Berlin' }],
  hosts: Array.from({ length: 10 }, (_, index) => ({
    id: String(index + 1),
    name: `H${index + 1}`,
    online: false,
    antivirus: { installed: false, supported: true },
  })),
};
const state = (...entries: readonly string[]) =>
  `version: 1\nhosts:\n${entries.map((each) => `  - { ${each} }\n`).join('')}`;
const asItIs = state('id: 1, name: H1');
const renameOne = state('id: 1, name: NEW');
const renameTwo = state('id: 1, name: NEW', 'id: 2, name: NEWER');
const installOne = state('id: 1, antivirus: installed', 'id: 2, name: H2');
const deleteThree = state(...[1, 2, 3].map((id) => `id: ${id}, ensure: absent`));
const status = (action: 'installAntivirus' | 'renameHost' | 'moveHosts', code: number) =>
  ({ action, effect: { kind: 'status', status: code } }) as const;

interface Scene extends Workplace {
  readonly service: GivenService;
  readonly env: Readonly<Record<string, string>>;
}

/** One outcome: the fleet, what was done before, and the expected result. */
interface Outcome {
  readonly file: string;
  readonly service?: (place: Workplace) => Omit<Partial<EmulatorOptions>, 'state'>;
  readonly before?: (scene: Scene) => Promise<unknown>;
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly exit: number;
  /** No list could be read after the last write. */
  readonly unread?: boolean;
  /** Sums that every form has to show. */
  readonly inDoubt?: number;
  readonly inProgress?: number;
}

async function sceneOf({ file, service, before, env = {} }: Outcome): Promise<Scene> {
  const place = await workplace();
  const given = await givenService(fleet, { clock: place.clock, ...service?.(place) });
  await place.write('fleet.yaml', file);
  const scene = { ...place, service: given, env: { ...given.env } };
  await before?.(scene);
  return { ...scene, env: { ...given.env, ...env } };
}

const apply = (scene: Scene) => scene.rampart('apply --auto-approve', { env: scene.env });
const slow = { switches: { installTakesMs: 3_600_000 } };
const lostOnce = () => ({ faults: [{ ...status('installAntivirus', 500), nth: 1 }], ...slow });

const applies: Readonly<Record<string, Outcome>> = {
  'all done and verified': { file: renameOne, exit: 0 },
  'nothing to do': { file: asItIs, exit: 0 },
  'an install accepted': { file: installOne, service: () => slow, exit: 0, inProgress: 1 },
  'an install in progress since an earlier run': {
    file: installOne,
    service: () => slow,
    before: apply,
    exit: 0,
    inProgress: 1,
  },
  'an install that shows at once': {
    file: installOne,
    service: () => ({ switches: { installTakesMs: 0 } }),
    exit: 0,
  },
  'an install in doubt': { file: installOne, service: lostOnce, exit: 5, inDoubt: 1 },
  'an install in doubt since an earlier run': {
    file: installOne,
    service: lostOnce,
    before: apply,
    exit: 5,
    inDoubt: 1,
  },
  'an install in doubt beside changes': {
    file: installOne,
    service: lostOnce,
    before: async (scene) => {
      await apply(scene);
      await scene.write('fleet.yaml', state('id: 1, antivirus: installed', 'id: 2, name: NEW'));
    },
    exit: 5,
    inDoubt: 1,
  },
  'an install refused': {
    file: installOne,
    service: () => ({ faults: [status('installAntivirus', 400)] }),
    exit: 5,
  },
  'a step that failed': {
    file: renameTwo,
    service: () => ({ faults: [{ ...status('renameHost', 400), nth: 1 }] }),
    exit: 5,
  },
  'a step with an unknown outcome': {
    file: renameOne,
    service: () => ({
      faults: [
        { action: 'renameHost', effect: { kind: 'drop', when: 'after' } },
        { action: 'listHosts', effect: { kind: 'status', status: 500 } },
      ],
    }),
    exit: 5,
  },
  'a bound that stopped it': { file: renameTwo, argv: ['--max-calls', '1'], exit: 5 },
  'an interrupt': {
    file: renameTwo,
    service: ({ interrupt }) => ({
      hooks: {
        beforeEach({ action, nth }) {
          if (action === 'renameHost' && nth === 1) interrupt();
        },
      },
    }),
    exit: 130,
  },
  'everything done, and still different': {
    file: renameOne,
    service: () => ({
      faults: [{ action: 'listHostsWithGroups', nth: 2, effect: { kind: 'stale-list', writes: 1 } }],
    }),
    exit: 8,
  },
  'verification that could not read': {
    file: renameOne,
    service: () => ({
      faults: [{ action: 'listHostsWithGroups', from: 1, effect: { kind: 'status', status: 500 } }],
    }),
    exit: 8,
    unread: true,
  },
  'a plan over a limit': { file: deleteThree, exit: 6 },
  'read-only mode': { file: renameOne, env: { RAMPART_READ_ONLY: '1' }, exit: 6 },
  'a group that does not exist': { file: state('id: 1, group: Munich'), exit: 3 },
  'a file with an error': { file: state('id: 1, nmae: NEW'), exit: 3 },
  'credentials that are refused': { file: renameOne, env: { RAMPART_PSK: 'wrong-key-wrong-key' }, exit: 4 },
  "a list that can't be read": {
    file: renameOne,
    service: () => ({ faults: [{ effect: { kind: 'status', status: 500 } }] }),
    exit: 1,
  },
  'another plan than the reviewed one': { file: renameOne, argv: ['--checksum', 'a'.repeat(64)], exit: 7 },
};

interface Summary {
  readonly type: string;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly interrupted: boolean;
  readonly verified: boolean | null;
  readonly converged: boolean | null;
  readonly installs_in_progress: readonly string[];
  readonly installs_in_doubt: readonly string[];
  readonly problems: readonly { readonly code: string; readonly severity: string }[];
  readonly exit_code: number;
}

/** The last line of the events; undefined if the command ended before a run. */
function summaryOf({ out }: Ran): Summary | undefined {
  const last = JSON.parse(out.trim().split('\n').at(-1) || '{}') as Summary;
  return last.type === 'change_summary' ? last : undefined;
}

const countIn = (text: string, what: string) =>
  Math.max(
    0,
    ...[...text.matchAll(new RegExp(`(\\d+) installs? ${what}`, 'g'))].map(([, number]) => Number(number)),
  );
const codesIn = (text: string) => new Set([...text.matchAll(/error\[([\w-]+)\]/g)].map(([, code]) => code));
const green = /No changes: the fleet matches the desired state|^Verified: the fleet matches the plan\./m;

it.each(Object.entries(applies))('text, events and exit code of an apply agree %s', async (_, outcome) => {
  const { argv = [], exit, unread = false, inDoubt = 0, inProgress = 0 } = outcome;
  const command = ['apply', '--auto-approve', ...argv];
  const texts = await sceneOf(outcome);
  const text = await texts.rampart(command, { env: texts.env });
  const events = await sceneOf(outcome);
  const json = await events.rampart([...command, '--json'], { env: events.env });
  expect([text.code, json.code]).toEqual([exit, exit]);
  expect([countIn(text.out, 'in doubt'), countIn(text.out, 'in progress')]).toEqual([inDoubt, inProgress]);

  const summary = summaryOf(json);
  if (summary === undefined) {
    expect(exit).not.toBe(0);
    expect(text.out).not.toMatch(green);
    const { errors, problems } = JSON.parse(json.out.trim().split('\n').at(-1) || '{}');
    expect(errors).toBe(true);
    const told = problems.filter(({ severity }: { severity: string }) => severity === 'error');
    expect(new Set(told.map(({ code }: { code: string }) => code))).toEqual(codesIn(text.err));
    return;
  }
  expect(summary.exit_code).toBe(exit);
  expect([summary.installs_in_doubt.length, summary.installs_in_progress.length]).toEqual([
    inDoubt,
    inProgress,
  ]);
  expect(summary.converged === true).toBe(green.test(text.out));
  if (summary.verified === true) expect(summary.converged).toBe(inDoubt + inProgress > 0 ? null : true);
  const { done = 0, already = 0, ...left } = summary.outcomes;
  const ran = done + already + Object.keys(left).length;
  for (const [what, number] of Object.entries(ran === 0 ? {} : { done, ...left })) {
    expect(text.out).toMatch(new RegExp(`${number} (of \\d+ steps? )?${what.replace('-', ' ')}`));
  }
  if (summary.converged === true) expect(exit).toBe(0);
  if (exit === 0) {
    expect([left, inDoubt, summary.problems.filter(({ severity }) => severity === 'error')]).toEqual([
      {},
      0,
      [],
    ]);
  }
  // Null: no list was read.
  if (exit === 8) expect(summary.verified).toBe(unread ? null : false);
  expect(summary.interrupted).toBe(exit === 130);
  expect(text.out.includes('Interrupted at a safe point')).toBe(exit === 130);
  const runs = JSON.parse((await events.rampart('runs --json', { env: events.env })).out);
  if (ran > 0) expect(runs[0].exit_code).toBe(exit);
});

const plans: Readonly<Record<string, Outcome>> = {
  'no changes': { file: asItIs, exit: 0 },
  changes: { file: renameOne, exit: 2 },
  'an install to do': { file: installOne, exit: 2 },
  'an install in progress': { file: installOne, service: () => slow, before: apply, exit: 0, inProgress: 1 },
  'an install in doubt': { file: installOne, service: lostOnce, before: apply, exit: 2, inDoubt: 1 },
  'an install in doubt that a refresh settles': {
    file: installOne,
    service: lostOnce,
    before: async (scene) => {
      await apply(scene);
      scene.service.emulator.edit({ kind: 'online', id: '1', online: true });
    },
    exit: 2,
    inDoubt: 1,
  },
  'a plan over a limit': { file: deleteThree, exit: 6 },
  'a name that someone else has': { file: state('id: 1, name: H9'), exit: 3 },
};

it.each(Object.entries(plans))('every form and the exit code of a plan agree %s', async (_, outcome) => {
  const { exit, inDoubt = 0, inProgress = 0 } = outcome;
  const scene = await sceneOf(outcome);
  const forms = { text: '', markdown: '', html: '', json: '' };
  for (const format of ['text', 'markdown', 'html', 'json'] as const) {
    const ran = await scene.rampart(['plan', '--detailed-exitcode', '--format', format], {
      env: scene.env,
    });
    expect([format, ran.code]).toEqual([format, exit]);
    forms[format] = ran.out.replaceAll(/<style>[^]*?<\/style>|<script[^]*?<\/script>/g, '');
  }
  const document = JSON.parse(forms.json);
  const counts = [document.summary.installs_in_doubt, document.summary.installs_in_progress];
  expect(counts).toEqual([inDoubt, inProgress]);
  const states = document.pending_installs.map(({ state: each }: { state: string }) => each).sort();
  expect(states).toEqual([...Array(inDoubt).fill('in-doubt'), ...Array(inProgress).fill('in-progress')]);
  const isClean = document.steps.length + document.pending_installs.length === 0 && document.applicable;
  for (const form of ['text', 'markdown', 'html'] as const) {
    const told = forms[form];
    expect([form, countIn(told, 'in doubt'), countIn(told, 'in progress')]).toEqual([
      form,
      inDoubt,
      inProgress,
    ]);
    expect([form, green.test(told)]).toEqual([form, isClean]);
    expect([form, /can(&#39;|')t be applied/.test(told)]).toEqual([form, !document.applicable]);
    expect([form, told.includes('Refresh the anti-virus status of 1 host')]).toEqual([
      form,
      document.summary.refresh === 1,
    ]);
  }
  const differs = document.steps.length > 0 || inDoubt > 0;
  expect(exit).toBe(document.applicable ? (differs ? 2 : 0) : exit);
  expect(exit === 0 || exit === 2).toBe(document.applicable);

  const drift = await scene.rampart('drift --json --detailed-exitcode', { env: scene.env });
  const drifted = await scene.rampart('drift --detailed-exitcode', { env: scene.env });
  expect(drift.code).toBe(drifted.code);
  const kinds = (JSON.parse(drift.out).differences ?? []).map(({ kind }: { kind: string }) => kind);
  expect([kinds.includes('in-doubt'), kinds.includes('in-progress')]).toEqual([inDoubt > 0, inProgress > 0]);
  expect(/\d in doubt/.test(drifted.out)).toBe(inDoubt > 0);
  if (inDoubt > 0) expect(drift.code).toBe(2);
  expect(drifted.out.includes('No drift: the fleet matches the file.')).toBe(
    kinds.length === 0 && drift.code === 0,
  );
});
