import { signal } from '@preact/signals';

/** A list with its filters under a name: the part of the address after the question mark. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

const most = 30;
const views = signal<Readonly<Record<string, readonly SavedView[]>>>({});

/** The views of one page that a person saved in this browser, in the order of their names. */
export function savedViews(page: string, person: string): readonly SavedView[] {
  const key = keyOf(page, person);
  return views.value[key] ?? kept(key);
}

/** Saves a view; one of the same name is replaced. The oldest is dropped beyond 30. */
export function saveView(page: string, person: string, view: SavedView): void {
  const others = savedViews(page, person).filter(({ name }) => name !== view.name);
  keep(
    keyOf(page, person),
    [...others.slice(-(most - 1)), view].toSorted((a, b) => a.name.localeCompare(b.name)),
  );
}

export function removeView(page: string, person: string, name: string): void {
  keep(
    keyOf(page, person),
    savedViews(page, person).filter((each) => each.name !== name),
  );
}

function keyOf(page: string, person: string): string {
  return `rampart.views.${page}.${person}`;
}

function kept(key: string): readonly SavedView[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(found) ? found.filter(isView).slice(0, most) : [];
  } catch {
    // A browser may refuse storage, or a person may have changed it.
    return [];
  }
}

function isView(value: unknown): value is SavedView {
  const view = value as Partial<SavedView> | null;
  return typeof view?.name === 'string' && typeof view.query === 'string';
}

function keep(key: string, next: readonly SavedView[]): void {
  views.value = { ...views.value, [key]: next };
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    // The views last until the page closes.
  }
}
