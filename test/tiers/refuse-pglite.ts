import { refuse } from './refuse-systems.ts';

/** In place of the package `@electric-sql/pglite` in unit tests. */
export class PGlite {
  constructor() {
    refuse('opens a database');
  }
}
