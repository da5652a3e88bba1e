import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { splitIntoWaves } from '../../../src/accounts/rollouts/split-waves.ts';
import type { AuditRow } from '../../../src/api/settings.ts';
import { inboxOf } from '../../../src/console/pages/approvals/inbox.ts';
import { auditKinds, auditQueryOf } from '../../../src/console/pages/audit/audit-filter.ts';
import { exportHead, exportLines } from '../../../src/console/pages/audit/export-audit.ts';
import { worstFirst } from '../../../src/console/pages/rollouts/account-mark.ts';
import { chosenAccounts } from '../../../src/console/pages/rollouts/rollout-draft.ts';
import { progressText, rolloutActs } from '../../../src/console/pages/rollouts/rollout-words.ts';
import { sharesOf, wavesOf } from '../../../src/console/pages/rollouts/wave-sizes.ts';
import { tokenFormReason, tokenMark } from '../../../src/console/pages/settings/token-words.ts';
import { checkNews } from '../../../src/console/pages/welcome/check-news.ts';
import {
  accountProblems,
  configText,
  exampleAccount,
  keyVariable,
} from '../../../src/console/pages/welcome/config-text.ts';
import { adoptCommand } from '../../../src/console/words/adopt-command.ts';
import { changesText } from '../../../src/console/words/changes.ts';
import { rolloutMarks } from '../../../src/console/words/state-marks.ts';
import { webAddress } from '../../../src/console/words/web-address.ts';
import { printable } from '../../../src/core/lib/printable.ts';
import { actionText } from '../../../src/output/components/change-words.ts';
import { groupedCauses } from '../../../src/output/components/grouped-causes.ts';
import { drawnChain, rowText } from '../../../src/output/components/rename-order.ts';
import type { AuditKind } from '../../../src/run/state/audit/audit-record.ts';
import { givenAccount } from '../../given/console/accounts.ts';
import { before, chain, givenPlanRow, readAt, ring } from '../../given/console/plans.ts';
import { givenRollout, givenRolloutDetail } from '../../given/console/runs.ts';
import { givenAudit, givenToken } from '../../given/console/settings.ts';
import { hostileNames } from '../../given/hostile-names.ts';

describe('the waves of a new rollout', () => {
  it.each([
    [12, 2, '10,50,100', [2, 1, 4, 5]],
    [12, 0, '50,100', [6, 6]],
    [1, 1, '10,50,100', [1]],
    [3, 1, '10,50,100', [1, 1, 1]],
    [1_000, 1, '100', [1, 999]],
  ] as const)(
    'has the sizes that the server makes: %i accounts, %i first, %s',
    (accounts, first, division, sizes) => {
      const names = Array.from(
        { length: accounts },
        (_, index) => `account-${String(index).padStart(4, '0')}`,
      );
      const split = splitIntoWaves(
        names.map((name) => ({ name, labels: {} })),
        { canaries: new Set(names.slice(0, first)), shares: sharesOf(division) },
      );
      expect(wavesOf(accounts, first, division).map((wave) => wave.accounts)).toEqual(sizes);
      expect(split.map((wave) => wave.accounts.length)).toEqual(sizes);
      expect(wavesOf(accounts, first, division).map(({ name }) => name)).toEqual(
        split.map(({ name }) => name),
      );
    },
  );

  it.each(['', '{}', 'no JSON', '[1, null]'])('has no account if the draft is %o', (kept) => {
    expect(chosenAccounts(kept)).toEqual([]);
  });
});

describe('the kinds of records that the audit page suggests', () => {
  it('are those that the server writes', () => {
    type Missing = Exclude<AuditKind, (typeof auditKinds)[number]>;
    const isComplete: [Missing] extends [never] ? true : false = true;
    const suggested: readonly AuditKind[] = auditKinds;
    expect([new Set(suggested).size, isComplete]).toEqual([auditKinds.length, true]);
  });
});

describe('the command that adopts drift', () => {
  it('names hosts and the account as single words of a shell', () => {
    expect(adoptCommand('contoso', ['12', '13'])).toBe('rampart import drift 12 13 --account contoso');
    expect(adoptCommand("a'; rm -rf ~ #", [], { isDryRun: true })).toBe(
      "rampart import drift --account 'a'\\''; rm -rf ~ #' --dry-run",
    );
    expect(adoptCommand('-x $(id)', [])).toBe("rampart import drift --account '-x $(id)'");
  });
});

describe('the inbox of approvals', () => {
  it("has what can't be undone first, then the oldest, and mine apart from the rest", () => {
    const plan = (id: string, irreversible: number, minutes: number, allowed = true) =>
      givenPlanRow({ id, irreversible, created_at: before(minutes), may_approve: { allowed } });
    const inbox = inboxOf([plan('a', 0, 90), plan('b', 0, 10), plan('c', 2, 5), plan('d', 1, 60, false)]);
    expect(inbox.mine.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    expect(inbox.others.map(({ id }) => id)).toEqual(['d']);
    expect(inboxOf([givenPlanRow({ state: 'stale' })])).toEqual({ mine: [], others: [] });
  });
});

describe('an export of the audit log', () => {
  const rows = hostileNames.map((text, index) => ({
    ...(givenAudit(1, index + 1)[0] as AuditRow),
    text,
    by: text,
  }));

  it('gives back every record from JSON lines', () => {
    const lines = exportLines('jsonl', rows).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    expect(exportHead('jsonl')).toBe('');
  });

  it('gives back every text from CSV, and no cell is a formula, whatever separates cells', () => {
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\uff1d1', 'x;=1', 'x\r\n=1', '";=1'].map(
      (text) => ({
        ...(rows[0] as AuditRow),
        text,
      }),
    );
    const all = [...rows, ...formulas];
    const csv = exportHead('csv') + exportLines('csv', all);
    const cells: readonly { text: string }[] = parse(csv, { columns: true });
    expect(cells).toHaveLength(all.length);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(all.length + 1);
    for (const [at, { text }] of cells.entries()) {
      expect(text.replace(/^'(?=[=+\-@\uff1d])/, '')).toBe(
        printable(all[at]?.text ?? '').replaceAll(';=', ";'="),
      );
      expect(text).not.toMatch(/^[=+\-@\uff1d]/);
    }
    const split = parse(csv, { delimiter: ';', relax_column_count: true, relax_quotes: true });
    for (const cell of split.flat()) expect(cell).not.toMatch(/^[=+\-@\uff1d]/);
  });

  it('asks for times in UTC', () => {
    const given = { from: '2026-11-23T08:00', to: 'yesterday' };
    const get = (name: string) => given[name as keyof typeof given] ?? '';
    expect(auditQueryOf(get)).toMatchObject({
      from: new Date('2026-11-23T08:00').toISOString(),
      to: null,
    });
    expect(auditQueryOf(() => '')).toMatchObject({ from: null, to: null });
  });
});

describe('the words of a plan', () => {
  it("counts what can't be undone first", () => {
    expect(changesText(givenPlanRow().counts)).toBe(
      '3 deletions, 2 anti-virus installs, 12 renames, 7 moves',
    );
    expect(changesText({ rename: 0, move: 0, delete: 0, install: 0, refresh: 0 })).toBe('no changes');
    expect(actionText({ action: ['move', 'rename'] })).toBe('Rename and move');
  });

  it('draws chains and cycles from the graph of the HTML report', () => {
    const drawn = drawnChain(ring);
    expect([drawn.title, drawn.graph?.cyclic]).toEqual(['Cycle', true]);
    expect(
      drawn.graph?.rows.map((row) => rowText(row, drawn.graph as NonNullable<typeof drawn.graph>)),
    ).toEqual([
      'the cycle starts here',
      'step 1: host 812340201, temporary rename first',
      'step 3: host 812340202',
      'step 2: host 812340203, which closes the cycle',
    ]);
    expect(drawnChain(chain).graph?.rows.map(({ name }) => name)).toEqual(chain.names);
    expect(drawnChain({ ...chain, renames: [] }).graph).toBeNull();
  });

  it('opens only web addresses', () => {
    expect(webAddress('https://git.example.com/a')).toBe('https://git.example.com/a');
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//x', '', 'a b'])
      expect(webAddress(bad), bad).toBeNull();
  });
});

describe('the words of a rollout', () => {
  it('says how far it is, and has accounts that need a person first', () => {
    expect(progressText(givenRollout())).toBe('Wave 2 of 4, 16 of 78 accounts done, 1 failed');
    expect(worstFirst(givenRolloutDetail().accounts).map(({ state }) => state)[0]).toBe('failed');
    expect(
      worstFirst([
        { state: 'of a later server', wave: 1 },
        { state: 'done', wave: 2 },
      ]),
    ).toHaveLength(2);
  });

  it('can be stopped, resumed and aborted only where that means something', () => {
    const acts = (Object.keys(rolloutMarks) as (keyof typeof rolloutMarks)[]).map((state) => [
      state,
      rolloutActs({ state }),
    ]);
    expect(Object.fromEntries(acts)).toEqual({
      running: ['stop', 'abort'],
      waiting: ['stop', 'abort'],
      stopped: ['resume', 'abort'],
      aborted: [],
      done: [],
    });
  });
});

describe('tokens in the settings', () => {
  it('are usable, expired or revoked', () => {
    const now = Date.parse(readAt);
    expect(tokenMark(givenToken(), now).word).toBe('usable');
    expect(tokenMark(givenToken({ expires_at: before(1) }), now).word).toBe('expired');
    expect(tokenMark(givenToken({ revoked_at: before(1) }), now).word).toBe('revoked');
  });

  it('need a name and from 1 to 366 whole days', () => {
    const form = { name: 'x', days: '90', role: 'viewer', where: '' } as const;
    expect(tokenFormReason(form)).toBeNull();
    expect(tokenFormReason({ ...form, name: ' ' })).toMatch(/Name/);
    for (const days of ['0', '367', '1.5', 'x']) expect(tokenFormReason({ ...form, days })).toMatch(/366/);
  });
});

describe('the first visit', () => {
  it('writes a configuration that YAML reads back, with the key outside of it', () => {
    const account = { ...exampleAccount, name: 'nord-lager', companyId: '77' };
    const read = parseYaml(configText(account)) as { accounts: Record<string, Record<string, unknown>> };
    expect(read.accounts['nord-lager']).toMatchObject({
      mode: 'observe',
      key: { variable: keyVariable(account) },
    });
    expect(keyVariable(account)).toBe('NORD_LAGER_PSK');
    expect(accountProblems(account)).toEqual({});
    expect(Object.keys(accountProblems({ name: 'a: b', companyId: 'x', baseUrl: 'ftp://x' }))).toEqual([
      'name',
      'companyId',
      'baseUrl',
    ]);
  });

  it('follows the first account from nothing to its first check', () => {
    const account = givenAccount({ hosts: null, last_check_at: null, failure: null });
    const failure = { since: before(1), attempts: 1, code: 'x', message: 'the service answered 401' };
    expect(checkNews([]).state).toBe('none');
    expect(checkNews([account]).state).toBe('unchecked');
    expect(checkNews([{ ...account, failure }])).toMatchObject({ state: 'failing', hint: '' });
    expect(
      checkNews([{ ...account, failure }, givenAccount({ hosts: 0, last_check_at: before(1) })]),
    ).toMatchObject({
      state: 'checked',
      hosts: 0,
    });
  });
});

it('the entries of a file are one cause of a plan, and rules stay apart', () => {
  const entry = (line: number, file = 'fleet.yaml') => ({
    title: `entry at ${file}:${line}`,
    place: { file, line },
    hosts: 2,
  });
  const rule = { title: 'rule "kiosks"', place: { file: 'fleet.yaml', line: 9 }, hosts: 7 };
  expect(groupedCauses([entry(1), rule, entry(5), entry(3, 'other.yaml')])).toEqual([
    { title: '2 entries', place: { file: 'fleet.yaml' }, hosts: 4 },
    rule,
    entry(3, 'other.yaml'),
  ]);
  expect(groupedCauses([])).toEqual([]);
});
