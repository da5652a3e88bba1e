import { countWhile } from '../../core/lib/binary-search.ts';
import { type OrderChange, orderChange } from '../words/order-change.ts';
import type { ApiAnswer, ApiProblem } from './api.ts';

/** One page of a list, as the API returns it. */
export interface PageBody<Row> {
  readonly items: readonly Row[];
  readonly next?: string;
  readonly total?: number;
}

interface Page<Row> {
  readonly cursor: string | null;
  /** The index of its first row in the list. */
  readonly first: number;
  readonly length: number;
  /** Null: dropped to bound the memory, and read again when it comes into view. */
  rows: readonly Row[] | null;
}

type ReadPage<Row> = (cursor: string | null, signal: AbortSignal) => Promise<ApiAnswer<PageBody<Row>>>;

const mostPages = 12;
const none: OrderChange = { added: 0, removed: 0, moved: 0 };

/** A list of any length of which only the pages near the view are in memory. */
export class PageMemory<Row> {
  total: number | null = null;
  problem: ApiProblem | null = null;
  isLoading = false;
  /** The first page was read. */
  isRead = false;
  /** The changes of the order. Rows stay where they are until `restart`. */
  waiting: OrderChange = none;
  /** Keys of rows that changed since they were first shown. */
  readonly changed = new Set<string>();
  readonly #pages: Page<Row>[] = [];
  readonly #reading = new Map<string, AbortController>();
  readonly #readPage: ReadPage<Row>;
  readonly #keyOf: (row: Row) => string;
  readonly #onChange: () => void;
  #next: string | null | undefined = null;
  #view: readonly [number, number] = [0, 0];

  constructor(parts: {
    readonly readPage: ReadPage<Row>;
    readonly keyOf: (row: Row) => string;
    readonly onChange: () => void;
  }) {
    this.#readPage = parts.readPage;
    this.#keyOf = parts.keyOf;
    this.#onChange = parts.onChange;
  }

  /** Rows that are known, in memory or not. */
  get length(): number {
    const last = this.#pages.at(-1);
    return last === undefined ? 0 : last.first + last.length;
  }

  get hasMore(): boolean {
    return this.#next !== undefined;
  }

  row(index: number): Row | null {
    const page = this.#pages[this.#pageAt(index)];
    return page?.rows?.[index - page.first] ?? null;
  }

  /** Rows in memory. */
  get rows(): readonly Row[] {
    return this.#pages.flatMap(({ rows }) => rows ?? []);
  }

  /** Reads missing rows between two rows, and drops rows that are far from them. */
  need(first: number, last: number): void {
    this.#view = [first, last];
    for (const page of this.#pagesInView()) if (page.rows === null) this.#fill(page);
    if (this.hasMore && last >= this.length - 1 && this.problem === null) this.#more();
    this.#dropFarPages();
  }

  /** Reads the rows in view again: each stays in its place, and a new order waits. */
  refresh(): void {
    if (this.length === 0) return this.restart();
    for (const page of this.#pagesInView()) if (page.rows !== null) this.#fill(page);
  }

  /** Reads the list from its start. What is shown stays until the first page has arrived. */
  restart(): void {
    this.stop();
    this.problem = null;
    void this.#load('start', null, (body) => {
      this.#pages.length = 0;
      this.changed.clear();
      this.waiting = none;
      this.#append(null, body);
    });
  }

  stop(): void {
    for (const controller of this.#reading.values()) controller.abort();
    this.#reading.clear();
  }

  #more(): void {
    const cursor = this.#next;
    // While the list is read from its start, `#next` belongs to the list that this reading replaces.
    if (cursor === undefined || !this.isRead || this.#reading.has('start')) return;
    void this.#load('more', cursor, (body) => this.#append(cursor, body));
  }

  #fill(page: Page<Row>): void {
    void this.#load(`page ${page.cursor}`, page.cursor, ({ items, total }) => {
      this.total = total ?? this.total;
      const fresh = new Map(items.map((row) => [this.#keyOf(row), row]));
      const before = page.rows;
      if (before === null) {
        page.rows = items.slice(0, page.length);
        return;
      }
      this.waiting = orderChange(before.map(this.#keyOf), [...fresh.keys()]);
      page.rows = before.map((row) => {
        const next = fresh.get(this.#keyOf(row)) ?? row;
        if (JSON.stringify(next) === JSON.stringify(row)) return row;
        this.changed.add(this.#keyOf(row));
        return next;
      });
    });
  }

  #append(cursor: string | null, { items, next, total }: PageBody<Row>): void {
    this.#pages.push({ cursor, first: this.length, length: items.length, rows: items });
    this.#next = next;
    this.total = total ?? (next === undefined ? this.length : this.total);
    this.isRead = true;
  }

  async #load(name: string, cursor: string | null, use: (body: PageBody<Row>) => void): Promise<void> {
    if (this.#reading.has(name)) return;
    const controller = new AbortController();
    this.#reading.set(name, controller);
    this.isLoading = true;
    this.#onChange();
    const answer = await this.#readPage(cursor, controller.signal);
    if (controller.signal.aborted) return;
    this.#reading.delete(name);
    this.isLoading = this.#reading.size > 0;
    this.problem = answer.ok ? null : answer.problem;
    if (answer.ok) use(answer.value);
    this.#onChange();
  }

  #pagesInView(): readonly Page<Row>[] {
    return this.#near(0);
  }

  #dropFarPages(): void {
    if (this.#pages.length <= mostPages) return;
    const near = new Set(this.#near(mostPages / 2));
    for (const page of this.#pages) if (!near.has(page)) page.rows = null;
  }

  /** Pages in view, and some around them. */
  #near(around: number): readonly Page<Row>[] {
    const [first, last] = this.#view;
    const from = Math.max(0, this.#pageAt(first) - around);
    return this.#pages.slice(from, this.#pageAt(last) + around + 1);
  }

  /** The index of the page that has a row. The list may have thousands of pages, and each frame requests its rows. */
  #pageAt(row: number): number {
    const pages = this.#pages;
    return Math.max(0, countWhile(pages.length, (at) => (pages[at]?.first ?? 0) <= row) - 1);
  }
}
