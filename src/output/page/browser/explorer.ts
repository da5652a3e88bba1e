import type { Change, PageData } from '../page-data.ts';
import { found } from './element.ts';
import { type Entry, type Filter, matching, toEntries } from './filter.ts';
import { watchPaper } from './paper.ts';
import { rowElement } from './row-element.ts';
import { type Sorting, sorted } from './sort.ts';

const pageSize = 100;

/** The table of all changes, with filter, sorting and paging. */
export function startExplorer(data: PageData): void {
  const form = found('filters', HTMLFormElement);
  const table = found('table', HTMLTableElement);
  const body = table.tBodies[0] as HTMLTableSectionElement;
  const pages = found('pages', HTMLElement);
  const previous = found('previous', HTMLButtonElement);
  const next = found('next', HTMLButtonElement);
  const all = toEntries(data);
  let sorting: Sorting | undefined;
  let inOrder = all;
  let shown = all;
  let page = 0;
  let onPaper = false;

  const draw = () => {
    const last = Math.max(1, Math.ceil(shown.length / pageSize));
    const visible = onPaper ? byHost(shown) : shown.slice(page * pageSize, (page + 1) * pageSize).map(alone);
    body.replaceChildren(...visible.map((changes) => rowElement(changes, data)));
    found('count', HTMLElement).textContent = countWords(shown, all);
    pages.hidden = last === 1 || onPaper;
    found('page', HTMLElement).textContent = `Page ${figure(page + 1)} of ${figure(last)}`;
    previous.disabled = page === 0;
    next.disabled = page === last - 1;
  };
  const update = () => {
    shown = matching(inOrder, readFilter(form), data.problems);
    page = 0;
    draw();
  };
  const turn = (by: number) => {
    page += by;
    draw();
    table.scrollIntoView({ block: 'start' });
  };
  const sortBy = (key: string) => {
    sorting = nextSorting(sorting, key);
    inOrder = sorting === undefined ? all : sorted(all, sorting, data.groups);
    for (const head of table.querySelectorAll('th')) {
      const own = head.querySelector('button')?.dataset['sort'] === sorting?.key;
      head.setAttribute('aria-sort', own ? (sorting?.direction ?? 'none') : 'none');
    }
    update();
  };

  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => requestAnimationFrame(update));
  previous.addEventListener('click', () => turn(-1));
  next.addEventListener('click', () => turn(1));
  for (const button of table.querySelectorAll('button')) {
    button.addEventListener('click', () => sortBy(button.dataset['sort'] ?? ''));
  }
  watchPaper((isOnPaper) => {
    onPaper = isOnPaper;
    draw();
  });
  draw();
  found('explorer', HTMLElement).hidden = false;
}

/** On paper, a host with several changes needs only one row. */
function byHost(entries: readonly Entry[]): readonly (readonly Change[])[] {
  const changes = entries.map(({ change }) => change);
  return [...Map.groupBy(changes, ({ id }) => id).values()];
}

function alone({ change }: Entry): readonly Change[] {
  return [change];
}

function readFilter(form: HTMLFormElement): Filter {
  const fields = new FormData(form);
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    query: text('query'),
    kinds: new Set(fields.getAll('kind').filter((kind) => typeof kind === 'string')),
    group: text('group'),
    remark: text('remark'),
    problem: text('problem'),
  };
}

/** Cycles through ascending, descending and the order of the plan. */
function nextSorting(sorting: Sorting | undefined, key: string): Sorting | undefined {
  if (sorting?.key !== key) return { key, direction: 'ascending' };
  return sorting.direction === 'ascending' ? { key, direction: 'descending' } : undefined;
}

function countWords(shown: readonly Entry[], all: readonly Entry[]): string {
  const noun = all.length === 1 ? 'change' : 'changes';
  return shown.length === all.length
    ? `${figure(all.length)} ${noun}`
    : `${figure(shown.length)} of ${figure(all.length)} ${noun}`;
}

function figure(number: number): string {
  return number.toLocaleString('en');
}
