import { kindTitles, remarkTitles } from '../change-words.ts';
import { shortText } from '../name-text.ts';
import type { Change, PageData } from '../page-data.ts';
import { element } from './element.ts';
import { nameElement } from './name-element.ts';

/** One change as a row of the table. */
export function rowElement(change: Change, data: PageData): HTMLElement {
  const { kind, id, name, file, line, rule } = change;
  const by = rule === undefined ? [] : [' ', element('span', { class: 'rule' }, 'rule ', bdi(rule))];
  return element(
    'tr',
    { role: 'row', class: kind },
    cell('kind', 'Kind', element('span', { class: `tag ${kind}` }, kindTitles[kind])),
    cell('host', 'Host', nameElement(name)),
    cell('id', 'Id', id),
    cell('group', 'Group now', groupElement(change.group, data)),
    cell('change', 'Change', ...outcome(change, data)),
    cell('remark', 'Remarks', ...remarks(change, data)),
    cell(
      'source',
      'Requested by',
      element('span', { class: 'source' }, bdi(file), line === 0 ? '' : `:${line}`),
      ...by,
    ),
  );
}

function cell(column: string, label: string, ...content: readonly (Node | string)[]): HTMLElement {
  const role = column === 'host' ? 'rowheader' : 'cell';
  return element('td', { role, class: column, 'data-label': label }, ...content);
}

function outcome({ kind, to, target }: Change, data: PageData): readonly (Node | string)[] {
  switch (kind) {
    case 'delete':
      return ['is deleted'];
    case 'antivirus':
      return ['gets the anti-virus'];
    case 'move':
      return [becomes(groupElement(target ?? '', data))];
    case 'rename':
    case 'temporary-rename':
      return [becomes(nameElement(to ?? null))];
  }
}

function remarks(
  { remarks: all, problems, order, kind }: Change,
  data: PageData,
): readonly (Node | string)[] {
  const words = [
    ...(order === undefined ? [] : [element('span', { class: 'order' }, order)]),
    ...(kind === 'temporary-rename' ? [element('span', { class: 'tag remark' }, 'then deleted')] : []),
    ...all
      .filter((each) => each !== 'irreversible')
      .map((each) => element('span', { class: 'tag remark' }, remarkTitles[each])),
    ...problems.map((number) =>
      element('a', { class: 'tag problem', href: `#problem-${number}` }, data.problems[number] ?? 'problem'),
    ),
  ];
  return words.flatMap((each) => [each, ' ']);
}

function becomes(what: HTMLElement): HTMLElement {
  const arrow = element('span', { class: 'arrow', role: 'img', 'aria-label': 'becomes' }, '→');
  return element('span', { class: 'outcome' }, arrow, what);
}

function groupElement(id: string, { groups }: PageData): HTMLElement {
  return element('bdi', { class: 'name' }, shortText(groups[id] ?? null));
}

function bdi(text: string): HTMLElement {
  return element('bdi', {}, text);
}
