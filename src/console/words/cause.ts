import type { Cause } from '../../api/accounts.ts';
import type { Mark } from './health.ts';

/** How the kind of a cause appears. */
export const causeMarks: Readonly<Record<Cause['kind'], Mark>> = {
  failure: { word: 'failing', glyph: '▲', tone: 'red' },
  fleet: { word: 'changed in the fleet', glyph: '◆', tone: 'amber' },
  file: { word: 'changed in the file', glyph: '◇', tone: 'blue' },
  assets: { word: 'in the register', glyph: '◈', tone: 'dim' },
  register: { word: 'in the fleet', glyph: '◈', tone: 'dim' },
};
