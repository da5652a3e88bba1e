import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { unforeseen } from '../../accounts/engine/unforeseen.ts';
import { parseJson } from '../../core/lib/parse-json.ts';
import { jsonText, printableJson } from '../../core/lib/printable.ts';
import { fillName } from '../../core/model/account-placeholders.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes, exitOverAccounts } from '../../run/apply/exit-code.ts';
import { type Context, hearStop } from '../shell/context.ts';
import type { Stream } from '../shell/io.ts';
import { contextOf } from './account-context.ts';

/** What one account printed, and its exit code; null if the command did not start for it. */
interface AccountOutput {
  readonly account: string;
  readonly exitCode: ExitCode | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command once for each account, some at the same time. The output is text below a heading for each account, one
 * JSON document, or rows of CSV or NDJSON that name their account, in the order of the accounts. An account that fails
 * does not stop the others; after a signal no further account starts.
 */
export async function forEachAccount(
  context: Context,
  accounts: readonly AccountConfig[],
  code: (context: Context) => Promise<ExitCode>,
): Promise<ExitCode> {
  const printer = printerFor(context);
  const running = new Set<Context>();
  const stop = hearStop(context, 'accounts that are running finish');
  stop.signal.addEventListener('abort', () => {
    for (const each of running) each.cutoff.interrupt();
  });
  const runOne = async (account: AccountConfig): Promise<AccountOutput> => {
    if (stop.signal.aborted) return { account: account.name, exitCode: null, out: '', err: '' };
    const { own, out, err } = captured(context, account);
    running.add(own);
    const exitCode = await code(own).catch((error: unknown) => own.fail([unforeseen(error)]));
    running.delete(own);
    return { account: account.name, exitCode, out: out.join(''), err: err.join('') };
  };
  const codes = new Set<ExitCode>();
  const notStarted: string[] = [];
  const { stderr } = context.io;
  for await (const output of inOrder(accounts, context.settings.parallel, runOne)) {
    const { account, exitCode, err } = output;
    codes.add(exitCode ?? exitCodes.interrupted);
    if (exitCode === null) notStarted.push(account);
    const failure = printer.print(output);
    if (err !== '') stderr.write(`${account}:\n${err}`);
    if (failure !== undefined) codes.add(context.fail([failure]));
  }
  stop.end();
  printer.end?.();
  // In JSON, these accounts have no exit code.
  if (notStarted.length > 0 && context.settings.format !== 'json')
    stderr.write(`Not started: ${notStarted.join(', ')}\n`);
  return exitOverAccounts(codes);
}

/** The context of one account, whose output is kept. `{name}` in a path stands for the name of the account. */
function captured(context: Context, account: AccountConfig) {
  const out: string[] = [];
  const err: string[] = [];
  const keeping = (stream: Stream, kept: string[]): Stream => ({
    isTerminal: false,
    columns: stream.columns,
    write: (text) => void kept.push(text),
  });
  const { stdout, stderr } = context.io;
  const own = contextOf(context, account, {
    stdout: keeping(stdout, out),
    stderr: keeping(stderr, err),
    onInterrupt: () => () => {},
  });
  return { own: { ...own, path: (given: string) => context.path(fillName(given, account.name)) }, out, err };
}

/** The results in the order of the items. At most this many are worked on or wait to be printed. */
async function* inOrder<T, R>(
  items: readonly T[],
  parallel: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const started: Promise<R>[] = [];
  for (const item of items) {
    if (started.length >= parallel) yield await (started.shift() as Promise<R>);
    started.push(work(item));
  }
  for (const each of started) yield await each;
}

interface OutputPrinter {
  /** Prints what an account printed on stdout. Returns why it can't be printed with that of the others. */
  print(output: AccountOutput): Problem | undefined;
  end?(): void;
}

function printerFor(context: Context): OutputPrinter {
  switch (context.settings.format) {
    case 'json':
      return jsonPrinter(context);
    case 'ndjson':
      return ndjsonPrinter(context);
    case 'csv':
      return csvPrinter(context);
    default:
      return textPrinter(context);
  }
}

function textPrinter({ print, settings }: Context): OutputPrinter {
  const { bold } = settings.outColor;
  let isFirst = true;
  return {
    print({ account, exitCode, out }) {
      if (exitCode !== null) {
        print(`${isFirst ? '' : '\n'}${bold(`== ${account} ==`)}\n${out}`);
        isFirst = false;
      }
      return undefined;
    },
  };
}

/** The document is printed piece by piece, so that the numbers of each account stay exact. */
function jsonPrinter({ printExactly }: Context): OutputPrinter {
  let isFirst = true;
  printExactly('{"format_version":"1.0","accounts":[');
  return {
    print({ account, exitCode, out }) {
      const head = `{"account":${JSON.stringify(account)},"exit_code":${exitCode},"output":`;
      printExactly(`${isFirst ? '' : ','}\n${printableJson(head)}${jsonOf(out)}}`);
      isFirst = false;
      return undefined;
    },
    end: () => printExactly('\n]}\n'),
  };
}

/** Each line of an account is an object, which gets the account as its first field. */
function ndjsonPrinter({ printExactly }: Context): OutputPrinter {
  return {
    print({ account, out }) {
      const first = `{"account":${JSON.stringify(account)},`;
      for (const line of linesOf(out))
        printExactly(`${first}${namesAnAccount(line) ? `"output":${line}}` : line.slice(1)}\n`);
      return undefined;
    },
  };
}

/** A snapshot has a field of this name, for the company ID and the service. */
function namesAnAccount(line: string): boolean {
  return line.includes('"account"') && Object.hasOwn(JSON.parse(line) as object, 'account');
}

/** The rows of all accounts below one heading, with a first column for the account. A row is always one line. */
function csvPrinter({ printExactly }: Context): OutputPrinter {
  let heading: { readonly account: string; readonly text: string } | undefined;
  return {
    print({ account, out }) {
      const [text, ...rows] = linesOf(out);
      if (text === undefined) return undefined;
      if (heading === undefined) printExactly(`account,${text}\n`);
      heading ??= { account, text };
      if (text !== heading.text) return otherColumns(account, heading.account);
      for (const row of rows) printExactly(`${account},${row}\n`);
      return undefined;
    },
  };
}

function otherColumns(account: string, first: string): Problem {
  return problem(
    'usage',
    `the table of ${account} has different columns from that of ${first}, so it is left out`,
    {
      hint: 'use --format ndjson, or select one account: --account NAME',
    },
  );
}

function linesOf(out: string): readonly string[] {
  return out.split('\n').filter((line) => line !== '');
}

function jsonOf(out: string): string {
  const text = out.trim();
  if (text === '') return 'null';
  return parseJson(text) === undefined ? jsonText(text) : text;
}
