import { type Command, Option } from 'commander';
import { type Problem, problem } from '../../problem/problem.ts';
import { defaultMarkdownLimit } from '../../review/markdown-budget.ts';
import type { ReviewFlags } from '../planning/print-review.ts';
import { readCount } from './option-values.ts';
import type { Format } from './settings.ts';

/** For the commands that show a plan as Markdown. */
export function addMarkdownLimit(command: Command): Command {
  const limit = new Option(
    '--markdown-limit <characters>',
    `the longest --format markdown (${defaultMarkdownLimit}, as GitHub takes; GitLab takes 1000000)`,
  );
  return command.addOption(limit.argParser(readCount(1000, 100_000_000)));
}

/** What is wrong about Markdown on this command line. */
export function markdownMisuse(format: Format, { markdownLimit }: ReviewFlags): Problem | undefined {
  if (format !== 'markdown' && markdownLimit !== undefined)
    return problem('usage', '--markdown-limit is about --format markdown only', {
      hint: 'add --format markdown, or leave --markdown-limit out',
    });
  return undefined;
}
