import { describe, expect, it } from 'vitest';
import { hasChromium } from '../../given/chromium.ts';
import { givenConsole, overflow, settled } from './open-console.ts';

/** An element, an address that runs, templates, a changed direction, an escape, a line separator and half a character. */
const hostile =
  '<img src=x onerror=alert(1)>"\'javascript:alert(1) {{1}}${1}]]> \u202egnp.exe\u2066\u200b\u0000\u001b[31m\u2028\ud800';

const pages = [
  '/',
  '/causes',
  '/accounts',
  ...['', '?tab=history', '?tab=coverage', '?tab=policies'].map((tab) => `/accounts/contoso${tab}`),
  '/hosts',
  '/accounts/contoso/hosts/10000',
  '/approvals',
  '/changes/pl_contoso_1',
  '/changes/pl_contoso_1?step=decisions',
  '/changes/pl_northwind_7',
  '/changes/pl_contoso_4',
  '/rollouts',
  '/rollouts/ro_spring',
  '/rollouts/new?cause=ca_kiosks',
  '/audit',
  '/settings',
  '/settings?tab=notifications',
  '/settings?tab=tokens',
  '/welcome',
  `/accounts/${encodeURIComponent('<img src=x onerror=alert(1)>')}`,
];

/** Members that the server itself chooses: ids, times and words of its own. */
const chosenByServer =
  /^(?:id|.*_id|csrf|at|.*_at|since|until|next|cursor|kind|state|health|.*mode|outcome|roles?|severity|limit|attribute|action|run|plan|online|type|last.*)$/;

/** The responses of the server, with this text in every other field. */
function spoiled(value: unknown, text: string, key = ''): unknown {
  if (key === 'account') return text.slice(0, 63);
  if (typeof value === 'string')
    return chosenByServer.test(key) || /^\d{4}-\d\d-\d\dT/.test(value) ? value : text;
  if (Array.isArray(value)) return value.map((each) => spoiled(each, text, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoiled(each, text, name)]));
}

/** What an attacker could have reached: elements, addresses and texts of the page as it is. */
const findings = `[
  ...[...document.querySelectorAll('img, iframe, object, embed, [onerror], main script, main style, main [style*=url]')].map((each) => each.outerHTML),
  ...[...document.querySelectorAll('a[href]')].map((each) => each.href).filter((each) => !/^(?:https?|blob):/.test(each)),
  ...[document.body.innerText, ...[...document.querySelectorAll('[title], [aria-label], [placeholder]')].map(
    (each) => ['title', 'aria-label', 'placeholder'].map((name) => each.getAttribute(name) ?? '').join(' '),
  )].filter((each) => /[\\u0000-\\u0008\\u000b-\\u001f\\u200b\\u2028\\u202a-\\u202e\\u2066-\\u2069]/.test(each)),
]`;

/** The longest name of a host that the service accepts, and a text as long as any, without a place to break it. */
const endless = 'W'.repeat(255);

/** Elements that reach beyond the window, although the page does not scroll to them. */
const beyond = `[...document.querySelectorAll('main *')].filter((each) => {
  const box = each.getBoundingClientRect();
  if (box.width === 0 || box.right <= innerWidth + 1) return false;
  for (let up = each.parentElement; up !== null; up = up.parentElement)
    if (getComputedStyle(up).overflowX !== 'visible') return false;
  return true;
}).map((each) => each.outerHTML.slice(0, 100))`;

/** Texts that overflow their own element and cover its neighbors. */
const outside = `[...document.querySelectorAll('main *')].flatMap((each) => {
  const text = [...each.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  if (text === undefined || !each.checkVisibility()) return [];
  // Some texts are only for screen readers.
  for (let up = each; up !== null; up = up.parentElement) if (getComputedStyle(up).clipPath !== 'none') return [];
  const range = document.createRange();
  range.selectNodeContents(text);
  let { left, right } = range.getBoundingClientRect();
  let box = each;
  for (; box !== null; box = box.parentElement) {
    const { display, overflowX } = getComputedStyle(box);
    const { left: from, right: to } = box.getBoundingClientRect();
    if (overflowX !== 'visible') [left, right] = [Math.max(left, from), Math.min(right, to)];
    if (display === 'inline' || display === 'contents') continue;
    return left < from - 1 || right > to + 1 ? [each.outerHTML.slice(0, 100)] : [];
  }
  return [];
})`;

describe.runIf(hasChromium)('texts in every field of every response', () => {
  const open = givenConsole();

  it.each(pages)('that are hostile are only text, and printable, on %s', async (path) => {
    const { page, api, faults } = await open('about:blank', { expected: /status of 404/ });
    api.change((body) => spoiled(body, hostile));
    await page.goto(api.address + path);
    await settled(page);
    expect(await page.evaluate(findings)).toEqual([]);
    expect(await page.evaluate<string>('document.body.innerText')).toContain('‹U+202E›gnp.exe‹U+2066›');
    expect(faults).toEqual([]);
  });

  it.each(pages)(
    'of 255 characters without a space make no page wider than its window, and stay in their boxes: %s',
    async (path) => {
      const { page, api } = await open('about:blank', { expected: /status of 404/ });
      api.change((body) => spoiled(body, endless));
      await page.goto(api.address + path);
      await settled(page);
      for (const width of [1280, 768, 390, 320]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(async () => [width, await overflow(page)]).toEqual([width, 0]);
        expect(await page.evaluate(beyond), `at ${width}`).toEqual([]);
        expect(await page.evaluate(outside), `at ${width}`).toEqual([]);
      }
    },
  );
});
