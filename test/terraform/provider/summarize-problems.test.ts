import { expect, test } from 'vitest';
import { problem, warning } from '../../../src/core/problem/problem.ts';
import { summarizeProblems } from '../../../src/terraform/provider/summarize-problems.ts';

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    problem('step-failed', `host ${index + 1} failed`, { hint: 'apply again', hostIds: [`${index + 1}`] }),
  );

test('up to ten problems of one kind are reported one by one', () => {
  const problems = [...many(10), warning('step-failed', 'a warning')];
  expect(summarizeProblems(problems, 'See the run.')).toEqual(problems);
});

test('more than ten problems of one kind are reported as one, with their number, the first ten, and where to find the rest', () => {
  const other = problem('blocked', 'another');
  const [summary, ...more] = summarizeProblems([...many(2000), other], 'See the run.');
  expect(more).toEqual([other]);
  expect(summary).toMatchObject({
    code: 'step-failed',
    severity: 'error',
    message: '2000 problems of the same kind, such as: host 1 failed',
  });
  expect(summary?.hostIds).toHaveLength(2000);
  expect(summary?.hint).toBe(
    `The first 10 of 2000:\n${Array.from({ length: 10 }, (_, index) => `- host ${index + 1} failed`).join('\n')}\n\n` +
      'See the run. To fix the first: apply again.',
  );
});

test('a summary lists the places of the problems in it', () => {
  const problems = Array.from({ length: 11 }, (_, index) =>
    problem('unknown-key', 'unknown key', { place: { file: 'seed.yaml', line: index + 1, col: 3 } }),
  );
  expect(summarizeProblems(problems, 'See the file.')[0]?.hint).toContain(
    '\n- seed.yaml:10:3: unknown key\n',
  );
});
