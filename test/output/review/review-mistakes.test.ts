import { describe, expect, it } from 'vitest';
import { planChecksum } from '../../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { planComment } from '../../../src/forge/plan-comment.ts';
import { paintHtml } from '../../../src/output/page/html.ts';
import { digitLookalikes } from '../../../src/output/review/digit-lookalikes.ts';
import { defaultMarkdownLimit } from '../../../src/output/review/markdown-budget.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { unusualRenames } from '../../../src/output/review/unusual-changes.ts';
import type { GivenEntry } from '../../given/desired.ts';
import { type GivenHost, hostId } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';

const groups = {
  10: 'Lisbon desktops',
  11: 'Lisbon kiosks',
  12: 'Porto desktops',
  13: 'Servers',
  14: 'Domain controllers',
  15: 'Retired',
};

/**
 * A reorganization: desktops of Lisbon become kiosks with new names, and retired hosts are deleted. Among them are
 * mistakes that a reviewer must be able to catch from the comment alone.
 */
function reorganization(size: number): Plan {
  const hosts: GivenHost[] = [];
  const entries: GivenEntry[] = [];
  const digits = (number: number) => String(number).padStart(5, '0');
  const isRetired = (index: number) => index % 50 === 0;
  for (let index = 1; index <= size; index += 1) {
    const id = 1000 + index;
    if (isRetired(index)) {
      hosts.push({
        id,
        name: `OLD-${digits(index)}`,
        group: 15,
        online: false,
        stateChangedAt: '2024-02-01T00:00:00Z',
      });
      entries.push({ id, ensure: 'absent' });
    } else {
      hosts.push({ id, name: `DESKTOP-${digits(index)}`, group: 10, online: true });
      entries.push({ id, name: `KIOSK-${digits(index)}`, group: { id: 11 } });
    }
  }
  const add = (host: GivenHost, entry: GivenEntry) => {
    const at = Math.floor(hosts.length / 2);
    hosts.splice(at, 0, host);
    entries.splice(at, 0, entry);
  };
  add({ id: 1, name: 'DC-LIS-01', group: 14, online: false }, { id: 1, ensure: 'absent' });
  add({ id: 2, name: 'OLD-RECEPTION', group: 15, online: true }, { id: 2, ensure: 'absent' });
  add({ id: 3, name: 'SRV-SQL-02', group: 13 }, { id: 3, group: { id: 11 } });
  add({ id: 4, name: 'DESKTOP-X4', group: 10 }, { id: 4, group: { id: 12 } });
  add({ id: 5, name: 'DESKTOP-X5', group: 10 }, { id: 5, name: 'KIOSK-O0105' });
  add({ id: 6, name: 'SRV-WEB-01', group: 13 }, { id: 6, name: 'SRV-WEB-02' });
  add({ id: 7, name: 'SRV-WEB-02', group: 13 }, { id: 7, name: 'SRV-WEB-01' });
  add({ id: 8, name: 'SRV-BACKUP', group: 13, antivirus: 'missing' }, { id: 8, antivirus: true });
  const lately = '2026-11-19T00:00:00Z';
  add(
    { id: 9, name: 'OLD-PAYROLL', group: 15, online: false, stateChangedAt: lately },
    { id: 9, ensure: 'absent' },
  );
  // Two numbers are transposed, a server gets the name of a kiosk, and a name has a Cyrillic letter.
  add({ id: 10, name: 'DESKTOP-70123', group: 10 }, { id: 10, name: 'KIOSK-70132', group: { id: 11 } });
  add({ id: 11, name: 'NAS-80001', group: 10 }, { id: 11, name: 'KIOSK-80001', group: { id: 11 } });
  add({ id: 12, name: 'DESKTOP-80002', group: 10 }, { id: 12, name: 'KIOSK-8000\u0412', group: { id: 11 } });
  add({ id: 13, name: 'SRV-DB-03', group: 13 }, { id: 13, group: null });
  // Three names rotate.
  add({ id: 14, name: 'PRT-A', group: 13 }, { id: 14, name: 'PRT-B' });
  add({ id: 15, name: 'PRT-B', group: 13 }, { id: 15, name: 'PRT-C' });
  add({ id: 16, name: 'PRT-C', group: 13 }, { id: 16, name: 'PRT-A' });
  // A name loses two digits, a host keeps its group, another keeps its name, a kiosk gets the name of a deleted host, and a
  // name ends with a blank.
  add({ id: 17, name: 'DESKTOP-80017', group: 10 }, { id: 17, name: 'KIOSK-817', group: { id: 11 } });
  add({ id: 18, name: 'DESKTOP-00718', group: 10 }, { id: 18, name: 'KIOSK-718', group: { id: 11 } });
  add({ id: 19, name: 'DESKTOP-80019', group: 10 }, { id: 19, name: 'KIOSK-80019' });
  add({ id: 20, name: 'DESKTOP-80020', group: 10 }, { id: 20, group: { id: 11 } });
  add({ id: 21, name: 'DESKTOP-80021', group: 10 }, { id: 21, name: 'OLD-PAYROLL', group: { id: 11 } });
  add({ id: 22, name: 'DESKTOP-80022', group: 10 }, { id: 22, name: 'KIOSK-80022 ', group: { id: 11 } });
  return givenPlan({ hosts, entries, groups });
}

describe.each([300, 3_000, 30_000])('a comment about a reorganization of %i hosts', (size) => {
  const plan = reorganization(size);
  const comment = planComment(plan, { key: 'default', limit: defaultMarkdownLimit, foot: [], links: {} });
  const lineOf = (name: string) => comment.split('\n').find((line) => line.includes(`\`${name}\``)) ?? '';

  it('fits what the forge accepts, and has the checksum', () => {
    expect(comment.length).toBeLessThanOrEqual(defaultMarkdownLimit);
    expect(comment).toContain(planChecksum(plan));
  });

  it.each([
    [
      'a domain controller among the deletions, with its group',
      'DC-LIS-01',
      ['`Domain controllers`', 'few others of its group are deleted'],
    ],
    ['a host that is online among the retired ones', 'OLD-RECEPTION', ['`Retired`', '**online**']],
    [
      'a server that moves to the kiosks, with its group',
      'SRV-SQL-02',
      ['`Servers`', '`Lisbon kiosks`', 'few others move this way'],
    ],
    [
      'a desktop that moves to another site',
      'DESKTOP-X4',
      ['`Lisbon desktops`', '`Porto desktops`', 'few others move this way'],
    ],
    ['a letter O among the digits of a new name', 'DESKTOP-X5', ['`KIOSK-O0105`', 'letter O among digits']],
    ['a swap of two names', 'SRV-WEB-01', ['`SRV-WEB-02`', 'swaps names with another host']],
    ['a host that was in use some days ago among the retired ones', 'OLD-PAYROLL', ['went offline recently']],
    ['two transposed digits', 'DESKTOP-70123', ['`KIOSK-70132`', 'few others change their number']],
    ['a file server that gets the name of a kiosk', 'NAS-80001', ['`KIOSK-80001`', 'renamed this way']],
    ['a Cyrillic letter in a new name', 'DESKTOP-80002', ['letters of two alphabets']],
    ['a server that leaves its group', 'SRV-DB-03', ['`Servers`', 'no group', 'few others move this way']],
    ['three names that rotate', 'PRT-A', ['`PRT-B`', 'one of 3 hosts that swap names']],
    ['a number with other digits', 'DESKTOP-80017', ['`KIOSK-817`', 'few others change their number']],
    ['a number that lost its zeros', 'DESKTOP-00718', ['`KIOSK-718`', 'few others gain or lose digits']],
    ['a kiosk that was forgotten in its group', 'DESKTOP-80019', ['few others stay in the group']],
    ['a kiosk whose new name was forgotten', 'DESKTOP-80020', ['few others keep their name']],
    ['a kiosk with the name of a deleted host', 'DESKTOP-80021', ['`OLD-PAYROLL`', 'name of a deleted host']],
    ['a blank at the end of a new name', 'DESKTOP-80022', ['starts or ends with a blank']],
    ["an install that can't be undone, with its group", 'SRV-BACKUP', ['`Servers`', 'line']],
  ])('shows %s', (_, name, evidence) => {
    for (const each of evidence) expect(lineOf(name)).toContain(each);
  });

  it('needs no click to show what a reviewer must check', () => {
    const inSight = comment.replace(/<details>[\s\S]*?<\/details>/g, '');
    const irreversible = ['DC-LIS-01', 'OLD-RECEPTION', 'OLD-PAYROLL', 'SRV-BACKUP'];
    for (const name of [
      ...irreversible,
      'SRV-SQL-02',
      'DESKTOP-X4',
      'DESKTOP-X5',
      'SRV-WEB-01',
      'PRT-A',
      'NAS-80001',
    ])
      expect(inSight).toContain(`| \`${name}\` |`);
    expect(inSight.split('\n').length).toBeLessThan(80);
  });

  it("shows every change that can't be undone before the first rename", () => {
    const firstRename = comment.search(/`KIOSK-|`SRV-WEB-/);
    const deleted = plan.steps.flatMap((step) => (step.kind === 'delete' ? step.hosts : []));
    expect(deleted).toHaveLength(Math.floor(size / 50) + 3);
    for (const { name } of deleted) {
      const at = comment.indexOf(`\`${name}\``);
      expect(at).toBeGreaterThan(0);
      expect(at).toBeLessThan(firstRename);
    }
    expect(comment.indexOf('`SRV-BACKUP`')).toBeLessThan(firstRename);
  });

  it('has each host in one row at most, and counts those that it leaves out', () => {
    const rows = comment
      .split('\n')
      .filter((line) => /^(?:\| `(?:DESKTOP|OLD|SRV|DC|NAS|PRT)-|- `(?:OLD|DC)-)/.test(line));
    const left = Number(/\*\*([\d,]+) more hosts?\*\*/.exec(comment)?.[1]?.replaceAll(',', '') ?? '0');
    expect(new Set(rows.map((row) => /`([^`]+)`/.exec(row)?.[1])).size).toBe(rows.length);
    expect(rows.length + left).toBe(size + 22);
  });
});

it('also lists on the page each mistake that a comment points out, once and not folded', () => {
  const page = paintHtml(toRows(reorganization(300)));
  const list = page
    .slice(page.indexOf('<section id="irreversible"'), page.indexOf('<section id="hosts"'))
    .replace(/<details.*?<\/details>/gs, '');
  for (const [name, remark] of [
    ['DC-LIS-01', 'few others of its group are deleted'],
    ['OLD-RECEPTION', 'online'],
    ['OLD-PAYROLL', 'went offline recently'],
    ['SRV-SQL-02', 'few others move this way'],
    ['DESKTOP-X5', 'letter O among digits'],
    ['SRV-WEB-01', 'swaps names with another host'],
    ['DESKTOP-80020', 'few others keep their name'],
  ] as const) {
    const rows = list.split('<tr').filter((line) => line.includes(`>${name}</bdi> <code`));
    expect(rows, name).toEqual([expect.stringContaining(remark)]);
  }
  expect(list).not.toContain('KIOSK-00001<');
});

it('searches long names for mistakes quickly', () => {
  const name = `${'1'.repeat(200_000)}a1`;
  expect(unusualRenames([{ hostId: hostId(1), name, newName: 'PC-2' }])).toEqual(new Map());
  expect(digitLookalikes([`O${name}`])).toEqual(new Map());
});

it('compares a first name with the other new names, and not with a name that the host never had', () => {
  const renames = Array.from({ length: 200 }, (_, index) => ({
    hostId: hostId(index),
    name: index < 100 ? null : `pc-${index}`,
    newName: index === 77 ? 'BER-WEB-077X' : `BER-WEB-${String(index).padStart(3, '0')}`,
  }));
  expect([...unusualRenames(renames)]).toEqual([[hostId(77), 'few others are renamed this way']]);
});
