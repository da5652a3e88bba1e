import { type Problem, problem } from '../../core/problem/problem.ts';
import { defaultMarkdownLimit } from '../../output/review/markdown-budget.ts';
import type { ReviewFlags } from '../planning/print-review.ts';
import type { CliCommand } from '../program/cli-command.ts';
import { countOption, type Format } from './settings.ts';

/** Adds the flags of commands that show a plan. */
export function addReviewFlags(command: CliCommand): CliCommand {
  return addSummaryFlag(command).option(
    '--markdown-limit <characters>',
    `The longest Markdown (default: ${defaultMarkdownLimit}, as GitHub; GitLab: 1000000).`,
    countOption(1000, 100_000_000),
  );
}

/** Adds the flag of commands that show a plan before they do something with it. */
export function addSummaryFlag(command: CliCommand): CliCommand {
  return command.option(
    '--summary',
    'Show the number of changes of each rule and group instead of each host. Show deletions, warnings and errors in full.',
  );
}

/** Invalid combinations of these flags. */
export function reviewMisuse(format: Format, { markdownLimit, summary }: ReviewFlags): Problem | undefined {
  if (format !== 'markdown' && markdownLimit !== undefined)
    return problem('usage', '--markdown-limit works only with --format markdown', {
      hint: 'add --format markdown, or remove --markdown-limit',
    });
  if (format !== 'markdown' && format !== 'text' && summary !== undefined)
    return problem('usage', '--summary works only with --format text and --format markdown', {
      hint: 'choose one of them, or remove --summary',
    });
  return undefined;
}
