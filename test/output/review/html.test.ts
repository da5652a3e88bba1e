import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { problem, warning } from '../../../src/core/problem/problem.ts';
import { pageScript, pageStyle } from '../../../src/output/page/generated/report.ts';
import { paintHtml } from '../../../src/output/page/html.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { casesOf } from '../../given/cases.ts';
import { hostId } from '../../given/fleet.ts';
import { hostileName, hostileNames } from '../../given/hostile-names.ts';
import { givenPlan } from '../../given/plan.ts';
import { cyclicPlan, emptyPlan, refusedPlan, richPlan } from '../../given/report-plans.ts';

describe('the plan as HTML', () => {
  it('is as reviewed', async () => {
    const page = paint(smallPlan())
      .replace(pageStyle, '/* the style */')
      .replace(pageScript, '/* the script */')
      .replaceAll(/sha256-[\w+/=]+/g, 'sha256-…')
      .replaceAll('},{"', '},\n{"')
      .replaceAll(/<(?=section|div|tr|li|p|h\d|table|details|footer|main|nav|header)/g, '\n<');
    await expect(page).toMatchFileSnapshot('../../golden/html-report/small.html');
  });

  it("shows the sums, what can't be undone, what to check, problems, groups, causes, hosts, renames and calls, in this order", () => {
    const text = paint(richPlan());
    const ids = Array.from(text.matchAll(/<section id="([a-z]+)"/g), ([, id]) => id);
    expect(text.indexOf('class="tiles"')).toBeLessThan(text.indexOf('<section id="irreversible"'));
    expect(ids).toEqual('irreversible check problems groups causes hosts chains calls'.split(' '));
    const links = Array.from(text.matchAll(/<li><a href="#([a-z]+)"/g), ([, id]) => id);
    expect(links).toEqual(ids);
  });

  it('names the change ticket of the plan, as text', () => {
    expect(paint({ ...smallPlan(), ticket: 'CHG0001' })).toMatch(/Change ticket<\/bdi><\/dt><dd>.*CHG0001/);
    expect(paint(smallPlan())).not.toContain('Change ticket');
  });

  it('has the same bytes for the same plan', () => expect(paint(richPlan())).toBe(paint(richPlan())));

  it('lets the browser run its own script and style, and load nothing else', () => {
    const page = paint(richPlan());
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const allowed = policy.replaceAll('&#39;', "'");
    expect(allowed).toContain("default-src 'none'");
    for (const [directive, element] of [
      ['style-src', 'style'],
      ['script-src', 'script type="module"'],
    ] as const) {
      const [, text = ''] = new RegExp(`<${element}>([^]*?)</`).exec(page) ?? [];
      const hash = createHash('sha256').update(text).digest('base64');
      expect(allowed).toContain(`${directive} 'sha256-${hash}'`);
    }
    expect(page).not.toMatch(/ style=| on\w+=|<link|<img|<iframe|src="/);
  });

  it("says that the plan can't be applied, and why", () => {
    const text = paint(refusedPlan());
    expect(text).toContain(`<a href="#problems">This plan can't be applied: 3 errors.</a>`);
    expect(text).toMatch(/<pre [^>]*class="excerpt">[^<]* \^+[^<]*<\/pre>/);
  });

  it('says that there is nothing to do, and shows no table', () => {
    const text = paint(emptyPlan());
    expect(text).toContain('No changes: the fleet matches the desired state.');
    expect(text).not.toContain('<table');
  });

  it('names the rule that asks for a change', () => {
    const plan = smallPlan('A');
    const steps = plan.steps.map((step) =>
      step.kind === 'delete'
        ? {
            ...step,
            hosts: step.hosts.map((each) => ({ ...each, reason: { ...each.reason, rule: 'stale' } })),
          }
        : step,
    );
    expect(paint({ ...plan, steps })).toContain('rule "stale"'.replaceAll('"', '&quot;'));
  });

  it('says what is partial, which limit is lifted, and when it may be applied', () => {
    const plan: Plan = {
      ...smallPlan('A'),
      partial: true,
      deleteFirst: true,
      breaches: [{ limit: 'delete', count: 1, allowed: 0, acknowledged: true }],
      constraints: {
        windows: [{ name: 'nights', kinds: ['delete'], only: ['Mon-Fri 22:00-04:00'], place: place('x') }],
        freezes: [{ name: 'year end', from: '2026-12-20T00:00:00Z', message: 'audit', place: place('x') }],
      },
    };
    const text = paint(plan);
    for (const words of [
      'This plan is partial: it covers only some hosts.',
      '--ack delete=1 approves more than the limit of 0 for delete.',
      'delete only in <bdi class="text">Mon-Fri 22:00-04:00</bdi>',
      'no changes from 2026-12-20T00:00:00Z<span class="dim"> (<bdi class="text">audit</bdi>)</span>',
      'Deletions run first.',
    ])
      expect(text).toContain(words);
  });

  it('separates what this change adds from what was pending', () => {
    const change = { hostId: hostId(7), name: 'A', to: 'B', reason: { file: 'f', line: 1, col: 1 } } as const;
    const comparison = {
      base: 'main',
      introduced: [{ ...change, kind: 'rename' as const }],
      reverted: [],
      drift: [],
      pending: [{ ...change, kind: 'move' as const, to: null }],
    };
    const text = paint({ ...smallPlan(), comparison });
    expect(text).toContain('Compared with main: 1 change added by this change, 1 already pending.');
    expect(text).toContain('rename <bdi class="name">A</bdi> → <bdi class="name">B</bdi>');
    expect(text).toContain('move <bdi class="name">A</bdi> → no group');
  });

  it('draws the largest components and counts the rest', () => {
    const text = paint(cyclicPlan());
    expect(text.match(/<svg/g)).toHaveLength(24);
    expect(text).toContain('and 18 more: the list of hosts has all of them.');
    expect(text).toContain('and 289 more renames, back to the first name');
  });
});

describe('untrusted text in the page', () => {
  const calm = tagsOf(paint(smallPlan('calm')));
  const isHarmless = (name: string) => {
    const page = paint(smallPlan(name));
    expect(tagsOf(page)).toEqual(calm);
    expect(page).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u);
    expect(jsonOf(page).hosts.length).toBeGreaterThan(0);
  };

  it.each(hostileNames)('%j creates no element', isHarmless);

  it('creates no element, for any text', () => fc.assert(fc.property(hostileName, isHarmless), casesOf(80)));

  it('of 10,000 characters is shortened on the page and complete in its title', () => {
    const long = 'L'.repeat(10_000);
    const page = paint(smallPlan(long));
    const [, shown = ''] = /<span class="name-head">(L[^<]*)<\/span>/.exec(page) ?? [];
    expect(shown.length).toBeLessThan(300);
    expect(page).toContain(`<bdi class="name" title="${long}">`);
  });
});

it('the script and the style of the page do not end their own elements', () => {
  expect(pageScript).not.toMatch(/<\/script|<!--/i);
  expect(pageStyle).not.toMatch(/<\/style/i);
});

function paint(plan: Plan): string {
  return paintHtml(toRows(plan));
}

const place = (text: string) => ({ file: 'fleet.yaml', line: 3, col: 5, width: 4, text: `    ${text}` });

/** With this name wherever a name is possible, if it is given. */
function smallPlan(name?: string): Plan {
  const plan = givenPlan({
    entries: [
      { id: 1, ensure: 'absent' },
      { id: 2, name: 'LT-02' },
      { id: 3, name: 'LT-01' },
      { id: 4, group: { id: 17 } },
    ],
    hosts: [
      { id: 1, name: 'OLD', online: false },
      { id: 2, name: 'LT-01' },
      { id: 3, name: 'LT-02' },
      { id: 4, name: 'ROOM' },
    ],
    groups: { 17: 'Berlin' },
  });
  const words = name ?? 'LT-02';
  const steps = plan.steps.map((step) => {
    if (name === undefined) return step;
    if (step.kind === 'rename' || step.kind === 'temporary-rename') return { ...step, from: name };
    const hosts = step.hosts.map((each) => ({ ...each, name }));
    return step.kind === 'move' ? { ...step, groupName: name, hosts } : { ...step, hosts };
  });
  return {
    ...plan,
    steps,
    problems: [
      problem('name-conflict', `no ${words} here`, { place: place(words), hint: words, hostIds: ['2'] }),
      warning('name-differs', `no ${words} there`, { place: { file: words, line: 1, col: 1 } }),
    ],
  };
}

/** The tags in order, except for remarks about blanks at the ends of names, and groups, which are sorted by name. */
function tagsOf(page: string): readonly string[] {
  const alike = page
    .replaceAll(/ edges" title="[^"]*"/g, '"')
    .replaceAll(/(<bdi class="name") title="[^"]*"/g, '$1')
    // A long name has a head that may be cut, and a tail.
    .replaceAll(/<span class="name-head">([^<]*)<\/span><span class="name-tail">([^<]*)<\/span>/g, '$1$2');
  return Array.from(alike.matchAll(/<[a-z/!][^>]*>/g), ([tag]) => tag);
}

function jsonOf(page: string): { readonly hosts: readonly unknown[] } {
  const [, json = ''] = /<script type="application\/json"[^>]*>([^]*?)<\/script>/.exec(page) ?? [];
  return JSON.parse(json);
}
