import { type Command, CommanderError } from 'commander';
import { stackOf, unforeseen } from '../accounts/engine/unforeseen.ts';
import { secretsOfUrl } from '../core/lib/postgres-url.ts';
import { createRedaction, type Redaction } from '../core/lib/redaction.ts';
import type { Environment } from '../core/lib/surroundings.ts';
import { withoutKeys } from '../core/lib/typed-secrets.ts';
import { type Problem, problem } from '../core/problem/problem.ts';
import { plainProblems } from '../output/review/problem-text.ts';
import { type ExitCode, exitCodes } from '../run/apply/exit-code.ts';
import { buildProgram } from './program.ts';
import { commandLineOf, withCommandsBelow } from './shell/command-path.ts';
import type { Io } from './shell/io.ts';
import { problemLine } from './shell/problem-document.ts';
import { redactingIo, safeIo } from './shell/safe-output.ts';
import { noServerFlag, noSuchCommand, unknownFlag } from './shell/wrong-words.ts';

/**
 * Runs one command line in this process; never rejects. `onSecrets` gets the secrets that it reads, such as keys from Vault,
 * before they are used.
 */
export async function run(
  argv: readonly string[],
  outside: Io,
  onSecrets?: Redaction['hide'],
): Promise<ExitCode> {
  const redaction = createRedaction(onSecrets);
  redaction.hide(environmentSecrets(outside.env));
  const io = redactingIo(safeIo(outside), redaction);
  let exitCode: ExitCode = exitCodes.success;
  const onExit = (code: ExitCode) => {
    exitCode = code;
  };
  const program = buildProgram({ io, redaction, argv, onExit });
  let stopped: Command = program;
  for (const command of withCommandsBelow(program)) {
    command.exitOverride((error) => {
      stopped = command;
      throw error;
    });
  }
  try {
    await program.parseAsync(separateSeed(argv), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return usageExit(error, stopped, argv, io);
    if (io.env['RAMPART_LOG'] === 'debug') io.stderr.write(`${stackOf(error)}\n`);
    io.stderr.write(plainProblems([unforeseen(error)]));
    return exitCodes.error;
  }
}

/** Commander also throws for help and version, which have already been printed. */
function usageExit(error: CommanderError, command: Command, argv: readonly string[], io: Io): ExitCode {
  if (error.exitCode === 0) return exitCodes.success;
  if (error.code === 'commander.help') return exitCodes.invalid;
  const found = misuseOf(error, command);
  const { message, hint } = found;
  const misuse = {
    ...found,
    message: withoutKeys(message, argv),
    ...(hint === undefined ? {} : { hint: withoutKeys(hint, argv) }),
  };
  if (asksForJson(argv)) io.stdout.write(problemLine([misuse]));
  io.stderr.write(plainProblems([misuse]));
  return exitCodes.invalid;
}

function misuseOf({ code, message }: CommanderError, command: Command): Problem {
  const [word] = command.args;
  // A group with a default command passes on a word that is no command.
  if (code === 'commander.excessArguments' && command.parent?.args[0] === word && word !== command.name())
    return noSuchCommand(command.parent as Command, word as string);
  const takesFile = command.options.some(({ short }) => short === '-f');
  const expectsCommand = command.commands.length > 0 && command.registeredArguments.length === 0;
  const isCommandWrong = code === 'commander.unknownCommand' || code === 'commander.excessArguments';
  if (isCommandWrong && expectsCommand && !takesFile && word !== undefined)
    return noSuchCommand(command, word);
  if (code === 'commander.unknownOption' && /'--server(?:=.*)?'/.test(message)) return noServerFlag(command);
  const flag = code === 'commander.unknownOption' ? unknownFlag(command, message) : undefined;
  if (flag !== undefined) return flag;
  const [text = '', suggestion] = shownText(message).split('\n');
  if (code === 'commander.excessArguments' && command.registeredArguments.length === 0 && takesFile)
    return problem('usage', `${commandLineOf(command)} takes no argument "${word}"`, {
      hint: `to pass a desired state, write ${commandLineOf(command)} -f ${word}`,
    });
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? `see ${commandLineOf(command)} --help`;
  return problem('usage', text, { hint });
}

/** With the flag as the user wrote it: see separateSeed. The value of an unknown flag may be a secret. */
function shownText(message: string): string {
  return message
    .replace(/^error: /, '')
    .replace(/^(unknown option '[^'=\n]+)=.*$/m, "$1'")
    .replace('--emulator-seed <file>', '--emulator=SEED');
}

/** A command line that could not be parsed may still ask for JSON. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (word, at) =>
      word === '--json' || `${argv[at - 1]} ${word}`.endsWith('--format json') || word === '--format=json',
  );
}

/** Includes the variables that an account may name. */
const names =
  /^RAMPART_(?:PSK|SESSION_ID)(?:_(?!FILE$)\w+)?$|_PSK$|^(?:\w+_)?VAULT_TOKEN$|_ID_TOKEN$|_JWT$|^RAMPART_(?:GITLAB|FORGE)_TOKEN$|^SYSTEM_ACCESSTOKEN$/;

/** Values of the environment that no output may show. They are known before any configuration is read. */
function environmentSecrets(env: Environment): readonly string[] {
  const headers = Object.keys(env)
    .filter((name) => /^OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS$/.test(name))
    .flatMap((name) => (env[name] ?? '').split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).trim()));
  const keys = Object.keys(env)
    .filter((name) => names.test(name))
    .map((name) => (env[name] ?? '').trim());
  const state = (env['RAMPART_STATE_URL'] ?? '').trim();
  return [...keys, ...headers, ...(state === '' ? [] : secretsOfUrl(state))];
}

/**
 * `--emulator=SEED` takes its value only after the sign, so that `plan.json` in `rampart apply --emulator plan.json` is
 * an argument. Commander would use the next word, so the value is moved to its own flag.
 */
function separateSeed(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return argv.map((word, index) =>
    word.startsWith('--emulator=') && (end === -1 || index < end)
      ? word.replace('--emulator=', '--emulator-seed=')
      : word,
  );
}
