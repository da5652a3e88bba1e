import { kindTitles, remarkTitles } from '../change-words.ts';
import { isUnbroken, shortText, sourceClass } from '../name-text.ts';
import type { Change, PageData } from '../page-data.ts';
import { element } from './element.ts';
import { nameElement } from './name-element.ts';

/** Changes of one host as a row of the table. On paper, a row has all changes of its host. */
export function rowElement(changes: readonly Change[], data: PageData): HTMLElement {
  const { kind, id, name, group } = changes[0] as Change;
  return element(
    'tr',
    { role: 'row', class: kind },
    cell(
      'kind',
      'Kind',
      ...spaced(changes.map((each) => element('span', { class: `tag ${each.kind}` }, kindTitles[each.kind]))),
    ),
    cell(isUnbroken(shortText(name)) ? 'host short' : 'host', 'Host', nameElement(name)),
    cell('id', 'Id', id),
    cell('group', 'Group now', groupElement(group, data)),
    cell(
      'change',
      'Change',
      ...changes.flatMap((each, index) => [index === 0 ? '' : ', ', ...outcome(each, data)]),
    ),
    cell('remark', 'Remarks', ...spaced(changes.flatMap((each) => remarks(each, data)))),
    cell('source', 'Requested by', ...spaced(sources(changes))),
  );
}

/** Usually, one line of the file requests all changes of a host. */
function sources(changes: readonly Change[]): readonly HTMLElement[] {
  const places = new Map(changes.map((each) => [`${each.file}:${each.line} ${each.rule ?? ''}`, each]));
  return [...places.values()].flatMap(({ file, line, rule, cells = [] }) => [
    element('span', { class: sourceClass(file, line) }, bdi(file), line === 0 ? '' : `:${line}`),
    ...(rule === undefined ? [] : [element('span', { class: 'rule' }, 'rule ', bdi(rule))]),
    ...cells.map((cell) => element('span', { class: 'rule' }, bdi(cell))),
  ]);
}

function cell(column: string, label: string, ...content: readonly (Node | string)[]): HTMLElement {
  const role = label === 'Host' ? 'rowheader' : 'cell';
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

function remarks({ remarks: all, problems, order, kind }: Change, data: PageData): readonly HTMLElement[] {
  return [
    ...(order === undefined ? [] : [element('span', { class: 'order' }, order)]),
    ...(kind === 'temporary-rename' ? [element('span', { class: 'tag remark' }, 'then deleted')] : []),
    ...all
      .filter((each) => each !== 'irreversible')
      .map((each) => element('span', { class: 'tag remark' }, remarkTitles[each])),
    ...problems.map((number) =>
      element('a', { class: 'tag problem', href: `#problem-${number}` }, data.problems[number] ?? 'problem'),
    ),
  ];
}

function spaced(elements: readonly HTMLElement[]): readonly (Node | string)[] {
  return elements.flatMap((each) => [each, ' ']);
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
