import type { Reason } from '../../core/plan/types/step.ts';
import { noLine } from '../../core/problem/place.ts';
import { reasonCells } from '../review/reason-cells.ts';
import { type Html, html, nothing } from './markup.ts';
import { sourceClass } from './name-text.ts';
import { shortNameHtml } from './shown-name.ts';

const digits = new Intl.NumberFormat('en');

/** `10,000`. */
export function figure(number: number): string {
  return digits.format(number);
}

/** `1 rename`, `10,000 renames`. */
export function counted(number: number, singular: string, plural = `${singular}s`): string {
  return `${figure(number)} ${number === 1 ? singular : plural}`;
}

/** The place in the desired state that requests a change. */
export function sourceHtml(reason: Omit<Reason, 'col'>): Html {
  const { file, line, rule } = reason;
  const by = rule === undefined ? nothing : html` <span class="rule">rule ${shortNameHtml(rule)}</span>`;
  return html`<span class="${sourceClass(file, line)}">${shortNameHtml(file)}${line === noLine ? '' : `:${line}`}</span>${by}${reasonCells(reason).map((cell) => html` <span class="rule">${shortNameHtml(cell)}</span>`)}`;
}
