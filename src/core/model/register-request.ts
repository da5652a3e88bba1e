export const pagingWords = ['offset', 'page', 'cursor', 'link', 'next', 'range', 'none'] as const;

/** How a register divides its rows into pages. */
export interface Paging {
  /**
   * `offset` and `page` count rows and pages in a parameter. `cursor` passes on a value of the previous page, `next` an
   * address in it, and `link` the one of the header "Link". `range` requests a range of rows, as GLPI does.
   */
  readonly by: (typeof pagingWords)[number];
  /** The parameter with the offset, the page, the cursor or the range. */
  readonly param: string;
  /** The parameter with the number of rows on a page; absent if the register decides. */
  readonly sizeParam?: string;
  readonly size: number;
  /** The number of the first page. */
  readonly first: number;
  /** Where a page has the cursor or the address of the next one. */
  readonly at?: string;
  /** Where a page has the number of all rows: a field, or `header:` and the name of a header. */
  readonly total?: string;
}

/**
 * A table of an asset register, as a desired state requests it. The address and the credentials are those of the operator,
 * under the name of the source: a pull request can't send them elsewhere.
 */
export type RegisterRequest = HttpRequest | SqlRequest;

/** A register that is read over HTTP. */
export interface HttpRequest {
  readonly source: string;
  /** The path and query below the address of the source. */
  readonly path: string;
  /** Where a page has its list of rows; the whole page if absent. */
  readonly rowsAt?: string;
  readonly paging: Paging;
}

/** A register in PostgreSQL. */
export interface SqlRequest {
  readonly source: string;
  /** One SELECT statement. */
  readonly query: string;
}

/** All rows of a register. */
export interface RegisterContent {
  readonly rows: readonly unknown[];
  /** The address without its query. */
  readonly origin: string;
  /** SHA-256 of all pages, or of all rows. */
  readonly hash: string;
  /** RFC 3339: when the rows were read. */
  readonly changedAt: string;
}
