import { describe, expect, it, test } from 'vitest';
import { ageWords } from '../../../src/service/inventory/age-words.ts';
import { cellsOf, leavesOf } from '../../../src/service/inventory/flatten.ts';
import { covers, joinFields } from '../../../src/service/inventory/stored-fields.ts';

describe('a record', () => {
  const record = {
    hostId: '7',
    serviceTag: 'ST7',
    motherboard: { id: 0, chipset: null },
    processors: [{ speed: '3100' }, { speed: '2800', type: 'x64' }],
    batteries: ['Primary', 'Second'],
    displays: [],
  };

  it('is a list of its leaves, without the id of its host', () => {
    expect(leavesOf(record).map(({ path, value }) => `${path}=${value}`)).toEqual([
      'serviceTag=ST7',
      'motherboard.id=0',
      'motherboard.chipset=null',
      'processors[0].speed=3100',
      'processors[1].speed=2800',
      'processors[1].type=x64',
      'batteries[0]=Primary',
      'batteries[1]=Second',
    ]);
  });

  it('is a row of cells, in which values of several parts are joined', () => {
    expect(Object.fromEntries(cellsOf(record))).toEqual({
      serviceTag: 'ST7',
      'motherboard.id': '0',
      'motherboard.chipset': '',
      'processors.speed': '3100; 2800',
      'processors.type': 'x64',
      batteries: 'Primary; Second',
    });
  });
});

describe('the requested fields', () => {
  it.each([
    [null, null, true],
    [null, ['A'], true],
    [['A'], null, false],
    [['A', 'B'], ['B'], true],
    [['ExternalIp'], ['ExternalIP'], true],
    [['A'], ['A', 'B'], false],
    [[], [], true],
  ])('%j cover %j: %s', (asked, needed, covered) => expect(covers(asked, needed)).toBe(covered));

  it('are joined with others, each once', () => {
    expect(joinFields(['B', 'A'], ['a', 'C'])).toEqual(['B', 'C', 'a']);
    expect(joinFields(['B'], null)).toBeNull();
  });
});

test.each([
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 minute'],
  [7_199_999, '1 hour'],
  [7_200_000, '2 hours'],
  [86_400_000, '1 day'],
  [21 * 86_400_000, '21 days'],
])('%i ms are %s', (ms, words) => expect(ageWords(ms)).toBe(words));
