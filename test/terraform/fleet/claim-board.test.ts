import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClaimBoard } from '../../../src/terraform/fleet/claim-board.ts';

function given() {
  const parent = mkdtempSync(join(tmpdir(), 'claims-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'plans');
  const board = (id: string | null = 'one', isRunning = true, startedAt = 0) =>
    createClaimBoard({
      folder,
      command: id,
      startedAt,
      isRunning: () => isRunning,
    });
  return { folder, board };
}

const later = 2 ** 42;

describe('the claims of the provider blocks of one account', () => {
  it('are found by the block with the same claim, once', () => {
    const { board } = given();
    const [first, second] = [board(), board()];
    expect(first.publish(['name 1', 'group 1'])).toEqual([]);
    expect(second.publish(['name 2'])).toEqual([]);
    expect(second.publish(['name 1'])).toEqual(['name 1']);
    expect(second.publish(['group 2'])).toEqual([]);
    expect(first.publish(['group 3'])).toEqual(['name 1']);
  });

  it('are found even if the process of the other block has ended, if both ran at the same time', () => {
    const { board } = given();
    board('one', false).publish(['name 1']);
    expect(board('one', false).publish(['name 1'])).toEqual(['name 1']);
  });

  it('are not those of the plan in its apply, or of another command, whose files are removed', () => {
    const { board, folder } = given();
    board('one', false).publish(['name 1']);
    expect(board('one', false, later).publish(['name 1'])).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(board('two', false).publish(['name 1'])).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('are found even if another block removes its file, or has only begun it', () => {
    const { board, folder } = given();
    const [first, second] = [board(), board()];
    first.publish(['name 1']);
    writeFileSync(join(folder, 'begun.claims'), '');
    symlinkSync(join(folder, 'removed'), join(folder, 'removed.claims'));
    expect(second.publish(['name 1'])).toEqual(['name 1']);
  });

  it('are not published if the command is not known, or if the folder belongs to a file', () => {
    const { board, folder } = given();
    expect(board(null).publish(['name 1'])).toEqual([]);
    const broken = createClaimBoard({ folder: '/dev/null/x', command: 'one' });
    expect(broken.publish(['name 1'])).toEqual([]);
    expect(() => readdirSync(folder)).toThrow();
  });
});
