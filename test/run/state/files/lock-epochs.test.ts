import { describe, expect, it } from 'vitest';
import { fenceOf, hasWon, highestIn, removableBelow } from '../../../../src/run/state/files/lock-epochs.ts';

describe('the epochs in the folder of a lock', () => {
  it.each([
    [[], { epoch: 0, isFree: false }],
    [['9.json', '10.json', '9.free'], { epoch: 10, isFree: false }],
    [['10.json', '10.free'], { epoch: 10, isFree: true }],
    [['2.json', '12.json.draft', 'x3.json', '4.jsonl'], { epoch: 2, isFree: false }],
  ])('%j: the highest has the lock until it is free', (names, expected) => {
    expect(highestIn(names)).toEqual(expected);
  });

  it('are taken only by the highest', () => {
    expect(hasWon(['1.json', '2.json'], 2)).toBe(true);
    expect(hasWon(['2.json', '3.json'], 2)).toBe(false);
  });

  it('are removed from the lowest, each holder before its mark, and never the holder itself', () => {
    const names = ['10.free', '9.free', '10.json', '11.json', '9.json', '12.json', '9.json.draft', 'x'];
    expect(removableBelow(names, 11)).toEqual(['9.json', '9.free', '10.json', '10.free']);
  });

  it('have a fence that checks its own file last', () => {
    expect(fenceOf(7)).toEqual([
      { file: '8.json', must: 'be absent' },
      { file: '7.free', must: 'be absent' },
      { file: '7.json', must: 'be its own' },
    ]);
  });
});
