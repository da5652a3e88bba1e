import type { Cause } from '../../api/accounts.ts';
import type { Mark } from './health.ts';

const marks: Readonly<Record<Cause['kind'], Mark>> = {
  failure: { word: 'failing', glyph: '▲', tone: 'red' },
  fleet: { word: 'changed in the fleet', glyph: '◆', tone: 'amber' },
  file: { word: 'changed in the file', glyph: '◇', tone: 'blue' },
  assets: { word: 'in the register', glyph: '◈', tone: 'dim' },
  register: { word: 'in the fleet', glyph: '◈', tone: 'dim' },
};

export function causeMark(kind: Cause['kind']): Mark {
  return marks[kind];
}
