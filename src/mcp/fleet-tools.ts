import { z } from 'zod';
import { failed, type Result } from '../core/problem/problem.ts';
import { toProblemRecord } from '../output/review/problem-record.ts';
import type { FleetQuestions } from './fleet-questions.ts';
import { type Tool, type ToolAnswer, toolFor } from './tool.ts';

const mostProblems = 100;
const mostEdits = 100;
const name = z.string().min(1).max(1_000);
const account = name.optional().describe('An account of list_accounts. Required if there are several.');
const plan = name.describe('The checksum that plan or propose_change returned in this conversation.');
const limit = z.int().min(1).max(1_000).default(100);

/** The tools for the files and fleets that this machine can read. */
export function fleetTools(questions: FleetQuestions): readonly Tool[] {
  return [
    toolFor('list_accounts', 'List the accounts with their labels and files.', z.strictObject({}), () =>
      asked(questions.listAccounts()),
    ),
    toolFor(
      'find_hosts',
      'List or search the hosts of an account with their exact ids. Sends only reads.',
      z.strictObject({
        account,
        text: name.optional().describe('Part of an id, a name or a group.'),
        where: name.optional().describe('A CEL expression over host facts, such as host.online.'),
        limit,
      }),
      (query) => asked(questions.findHosts(query)),
    ),
    toolFor(
      'explain_host',
      'Show which entry or rule sets each attribute of a host, and why.',
      z.strictObject({
        account,
        host: name.describe('Id, current name, or name in the desired state.'),
      }),
      (query) => asked(questions.explainHost(query)),
    ),
    toolFor(
      'show_files',
      'Show the text of the files of the desired state.',
      z.strictObject({ account }),
      (query) => asked(questions.showFiles(query)),
    ),
    toolFor(
      'validate',
      'Check the files of the desired state. Sends nothing.',
      z.strictObject({ account }),
      (query) => asked(questions.validate(query)),
    ),
    toolFor(
      'plan',
      'Compare the desired state with the fleet, and show what an apply would change. Sends only reads.',
      z.strictObject({ account }),
      (query) => asked(questions.plan(query)),
    ),
    toolFor(
      'list_planned_hosts',
      "List what a plan changes, host by host. With only=irreversible, list what can't be undone; with only=unusual, the other changes that may be mistakes.",
      z.strictObject({
        plan,
        only: z.enum(['all', 'irreversible', 'unusual']).default('all'),
        offset: z.int().min(0).default(0),
        limit,
      }),
      (query) => asked(questions.listPlannedHosts(query)),
    ),
    toolFor(
      'coverage',
      'Compare the tables of the desired state, such as an asset register, with the fleet. Sends only reads.',
      z.strictObject({
        account,
        table: name.optional().describe('Only this table.'),
        by: name.optional().describe('Group the rows by this column.'),
      }),
      (query) => asked(questions.coverage(query)),
    ),
    toolFor(
      'rehearse',
      'Run a plan on an emulated copy of the fleet, with and without faults. The real fleet is only read.',
      z.strictObject({ plan }),
      (query) => asked(questions.rehearse(query)),
    ),
    toolFor(
      'propose_change',
      'Turn edits of the desired state into a patch, check it, and plan it. Writes nothing. If pull_request is not null, open_pull_request can propose the patch; otherwise a person applies it.',
      z.strictObject({
        account,
        edits: z
          .array(
            z.strictObject({
              file: name.describe('A file of show_files.'),
              old_text: z.string().min(1).max(100_000).describe('Text that occurs exactly once in the file.'),
              new_text: z.string().max(100_000),
            }),
          )
          .min(1)
          .max(mostEdits),
      }),
      (query) => asked(questions.proposeChange(query)),
    ),
    ...pullRequestTools(questions),
  ];
}

function pullRequestTools(questions: FleetQuestions): readonly Tool[] {
  if (questions.openPullRequest === undefined) return [];
  return [
    toolFor(
      'open_pull_request',
      'Open a pull request with the patch of propose_change, for people to review.',
      z.strictObject({
        plan,
        title: z
          .string()
          .regex(/^\P{Cc}{1,200}$/u)
          .describe('One line.'),
        reason: z.string().min(1).max(3_000).describe('What was asked, and by whom.'),
      }),
      async (query) => asked(questions.openPullRequest?.(query) ?? Promise.resolve(failed())),
      'proposes',
    ),
  ];
}

async function asked(question: Promise<Result<unknown>>): Promise<ToolAnswer> {
  const result = await question;
  const problems = result.problems.slice(0, mostProblems).map(toProblemRecord);
  return result.ok ? { ok: true, value: result.value, problems } : { ok: false, problems };
}
