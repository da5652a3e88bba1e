import { type Command, Option } from 'commander';
import { type Problem, problem } from '../problem/problem.ts';
import { defaultMarkdownLimit } from '../review/markdown-budget.ts';
import { readCount } from './option-values.ts';
import type { ReviewFlags } from './print-review.ts';
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
export function markdownMisuse(
  command: Command,
  format: Format,
  { markdownLimit }: ReviewFlags,
): Problem | undefined {
  const shows = command.options.some((each) => each.long === '--markdown-limit');
  if (format === 'markdown' && !shows)
    return problem('usage', `"rampart ${command.name()}" has no Markdown to show`, {
      hint: 'use --format text or --format json; rampart plan and rampart show take --format markdown',
    });
  if (format !== 'markdown' && markdownLimit !== undefined)
    return problem('usage', '--markdown-limit is about --format markdown only', {
      hint: 'add --format markdown, or leave --markdown-limit out',
    });
  return undefined;
}
