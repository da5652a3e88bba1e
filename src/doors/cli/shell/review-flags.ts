import { type Command, Option } from 'commander';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { defaultMarkdownLimit } from '../../../output/review/markdown-budget.ts';
import type { ReviewFlags } from '../planning/print-review.ts';
import { readCount } from './option-values.ts';
import type { Format } from './settings.ts';

/** For the commands that show a plan. */
export function addReviewFlags(command: Command): Command {
  const limit = new Option(
    '--markdown-limit <characters>',
    `the longest --format markdown (${defaultMarkdownLimit}, as GitHub takes; GitLab takes 1000000)`,
  );
  return command
    .option('--summary', 'without the tables of hosts: how many changes, deletions, warnings and errors')
    .addOption(limit.argParser(readCount(1000, 100_000_000)));
}

/** What is wrong about these flags on this command line. */
export function reviewMisuse(format: Format, { markdownLimit, summary }: ReviewFlags): Problem | undefined {
  if (format !== 'markdown' && markdownLimit !== undefined)
    return problem('usage', '--markdown-limit is about --format markdown only', {
      hint: 'add --format markdown, or leave --markdown-limit out',
    });
  if (format !== 'markdown' && format !== 'text' && summary !== undefined)
    return problem('usage', '--summary is about --format text and --format markdown only', {
      hint: 'choose one of them, or leave --summary out',
    });
  return undefined;
}
