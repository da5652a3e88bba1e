import { isPskVariable } from '../../accounts/config/read-key-source.ts';
import { isInt64 } from '../../core/lib/int64.ts';
import type { Account } from '../../core/model/account.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { yamlText } from '../../input/writing/yaml-text.ts';
import { parseBaseUrl } from '../../service/client/base-url.ts';
import { type PipelineFlags, pipelineSystem } from '../pipelines/pipeline-files.ts';
import { accountOf } from '../service/connect-service.ts';
import type { Context } from '../shell/context.ts';

/** All answers that `rampart init` needs. */
export interface Answers {
  readonly account: string;
  /** Null if only the emulator will be used. */
  readonly baseUrl: string | null;
  readonly companyId: string | null;
  readonly pskVariable?: string;
  readonly pskFile?: string;
  readonly language: 'yaml' | 'typescript';
  readonly fromFleet: boolean;
}

interface Question {
  readonly text: string;
  /** The flag for this answer, if nobody can be asked. */
  readonly flag: string;
  readonly given: string | undefined;
  /** The default for an empty answer. */
  readonly usual?: string;
  /** Why an answer is invalid; it never quotes the typed text. */
  readonly flaw: (answer: string) => string | undefined;
}

/**
 * The answers from flags, from the terminal, or with `--yes` the defaults. Reports every missing or wrong flag at once.
 */
export async function askForAnswers(context: Context, flags: InitFlags): Promise<Result<Answers>> {
  const problems: Problem[] = [];
  const ask = async (question: Question): Promise<string> => {
    const answer = await answerTo(context, question, flags.yes === true);
    if (answer.ok) return answer.value;
    problems.push(...answer.problems);
    return '';
  };
  const emulated = context.settings.emulator !== undefined;
  const emulatedCompany = (account: Result<Account>) => {
    if (account.ok) return account.value.companyId;
    problems.push(...account.problems);
    return null;
  };
  const baseUrl = emulated ? null : await ask(addressQuestion(flags.baseUrl));
  const companyId = emulated
    ? emulatedCompany(await accountOf(context))
    : await ask(companyQuestion(flags.companyId));
  const psk = emulated ? {} : await askForPsk(flags, ask);
  const language = await ask({
    text: 'YAML or TypeScript?',
    flag: '--language',
    given: flags.language,
    usual: 'yaml',
    flaw: (answer) => (/^(?:yaml|typescript)$/i.test(answer) ? undefined : 'answer yaml or typescript'),
  });
  const fromFleet = await ask({
    text: 'Write the live fleet as the desired state now (yes or no)?',
    flag: '--from-fleet',
    given: flags.fromFleet === true ? 'yes' : undefined,
    // A pipeline of an emulated fleet has only that fleet to plan.
    usual: emulated && pipelineSystem(flags) !== undefined ? 'yes' : 'no',
    flaw: (answer) => (/^(?:y|yes|n|no)$/i.test(answer) ? undefined : 'answer yes or no'),
  });
  if (problems.length > 0) return failed(...problems);
  return ok({
    account: context.settings.accountNames.at(-1) ?? 'main',
    baseUrl,
    companyId,
    ...psk,
    language: language.toLowerCase() === 'typescript' ? 'typescript' : 'yaml',
    fromFleet: fromFleet.toLowerCase().startsWith('y'),
  });
}

async function answerTo(context: Context, question: Question, yes: boolean): Promise<Result<string>> {
  const { text, flag, given, usual, flaw } = question;
  if (given !== undefined) return checked(given, question, flag);
  if (yes && usual !== undefined) return ok(usual);
  const shown = usual === undefined ? text : `${text} [${usual}]`;
  for (let attempt = 1; !yes && attempt <= 3; attempt += 1) {
    const typed = await context.io.prompt(`${shown} `);
    if (typed === null) break;
    const answer = typed.trim() === '' && usual !== undefined ? usual : typed.trim();
    const wrong = flaw(answer);
    if (wrong === undefined) return ok(answer);
    context.io.stderr.write(`${wrong}\n`);
    if (attempt === 3) return failed(problem('usage', wrong, { hint: `you can also set it with ${flag}` }));
  }
  if (usual !== undefined && !yes) {
    return failed(
      problem('usage', 'there is no interactive terminal to ask for a value', {
        hint: `add ${flag}, or --yes to accept the default (${usual})`,
      }),
    );
  }
  return failed(
    problem('usage', `${flag} is missing`, {
      hint: 'there is no interactive terminal to ask for it: see rampart init --help',
    }),
  );
}

function checked(given: string, { flaw }: Question, flag: string): Result<string> {
  const wrong = flaw(given);
  return wrong === undefined ? ok(given) : failed(problem('usage', `${flag}: ${wrong}`));
}

function addressQuestion(given: string | undefined): Question {
  return {
    text: 'Service URL?',
    flag: '--base-url',
    given,
    flaw: (answer) => parseBaseUrl(answer).problems[0]?.message,
  };
}

function companyQuestion(given: string | undefined): Question {
  return {
    text: 'Company ID?',
    flag: '--company-id',
    given,
    flaw: (answer) =>
      isInt64(answer) ? undefined : 'the company ID must be an integer, as shown in its API settings',
  };
}

async function askForPsk(
  flags: InitFlags,
  ask: (question: Question) => Promise<string>,
): Promise<Pick<Answers, 'pskVariable' | 'pskFile'>> {
  const { pskFile, pskVariable, yes } = flags;
  // A job gets the key as a variable: a file of this machine does not exist there.
  const isForJobs = pipelineSystem(flags) !== undefined;
  const place =
    pskFile !== undefined
      ? 'file'
      : pskVariable !== undefined || yes === true || isForJobs
        ? 'variable'
        : await ask({
            text: 'Is the PSK in a variable or in a file?',
            flag: '--psk-variable or --psk-file',
            given: undefined,
            usual: 'variable',
            flaw: (answer) => (/^(?:variable|file)$/i.test(answer) ? undefined : 'answer variable or file'),
          });
  if (place === '') return {};
  return place.toLowerCase() === 'file'
    ? { pskFile: await ask(pskFileQuestion(pskFile)) }
    : { pskVariable: await ask(pskVariableQuestion(pskVariable)) };
}

function pskVariableQuestion(given: string | undefined): Question {
  return {
    text: 'Name of the variable?',
    flag: '--psk-variable',
    given,
    usual: 'RAMPART_PSK',
    flaw: (answer) =>
      isPskVariable(answer)
        ? undefined
        : 'enter the name of an environment variable: RAMPART_PSK, or a name that ends in _PSK',
  };
}

function pskFileQuestion(given: string | undefined): Question {
  return {
    text: 'Path of the file?',
    flag: '--psk-file',
    given,
    flaw: (answer) =>
      answer !== '' && answer.length < 100 && !/[\p{Cc}\p{Cf}]/u.test(answer)
        ? undefined
        : 'enter the path of a file, not its content',
  };
}

export interface InitFlags extends PipelineFlags {
  readonly dir?: string;
  /** The example to copy; no other answer is needed then. */
  readonly from?: string;
  readonly baseUrl?: string;
  readonly companyId?: string;
  readonly pskVariable?: string;
  readonly pskFile?: string;
  readonly language?: 'yaml' | 'typescript';
  readonly fromFleet?: true;
  readonly yes?: true;
}

/** rampart.config.yaml: it names the locations of secrets, and never contains one. */
export function printConfiguration({ account, baseUrl, companyId, pskVariable, pskFile }: Answers): string {
  const head = '# Accounts, for rampart plan --account NAME. Do not write secrets here.\n';
  if (baseUrl === null || companyId === null) return `${head}${emulatedOnly}`;
  const secret =
    pskFile === undefined
      ? `{ variable: ${pskVariable} }    # in the file that ${pskVariable}_FILE names, or in ${pskVariable}`
      : `{ file: ${yamlText(pskFile)} }`;
  return `${head}accounts:
  ${yamlText(account)}:
    baseUrl: ${yamlText(baseUrl)}
    companyId: '${companyId}'
    key: ${secret}
`;
}

const emulatedOnly = `#
#   main:
#     baseUrl: https://remote.example.com
#     companyId: '1234567890'
#     key: { variable: RAMPART_PSK }    # in the file that RAMPART_PSK_FILE names, or in RAMPART_PSK
accounts: {}
`;
