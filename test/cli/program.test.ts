import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.ts';
import { run } from '../../src/cli/run.ts';
import { commandPath, withCommandsBelow } from '../../src/cli/shell/command-path.ts';
import type { Io } from '../../src/cli/shell/io.ts';
import { createRedaction } from '../../src/core/lib/redaction.ts';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';

const silent = { write() {}, isTerminal: false, columns: 100 };
const io: Io = {
  stdout: silent,
  stderr: silent,
  env: {},
  cwd: '/',
  clock: createVirtualClock(),
  prompt: async () => null,
  onInterrupt: () => () => {},
  onCrash: () => () => {},
  exitNow() {
    throw new Error('nothing ends here');
  },
};

function programFor(...argv: readonly string[]): Command {
  return buildProgram({ io, redaction: createRedaction(), argv, onExit: () => {} });
}

/** The help of a command and of those below it. */
function helpsOf(command: Command): readonly string[] {
  return [command.helpInformation(), ...command.commands.flatMap(helpsOf)];
}

const whole = programFor('--help');
const names = whole.commands.map((command) => command.name());

test.each(names.filter((name) => !['complete', 'help'].includes(name)))(
  '%s is defined alone in the same way as with the others',
  (name) => {
    const [command, ...others] = programFor(name).commands;
    expect(others).toEqual([]);
    expect(helpsOf(command as Command)).toEqual(
      helpsOf(whole.commands.find((each) => each.name() === name) as Command),
    );
  },
);

test.each([
  ['no word', []],
  ['a word that no command has', ['plans']],
  ['completion', ['complete', 'pl']],
  ['help', ['help', 'plan']],
])('with %s, all commands are defined', (_, argv) =>
  expect(programFor(...argv).commands.map((command) => command.name())).toEqual(names),
);

test('with global flags before the command, only this command is defined', () => {
  const program = programFor('-q', '--parallel', '2', '--format=json', 'plan');
  expect(program.commands.map((command) => command.name())).toEqual(['plan']);
});

/** What a command line prints on both streams, and its exit code. */
async function output(...argv: readonly string[]): Promise<{ readonly text: string; readonly code: number }> {
  let text = '';
  const stream = { ...silent, write: (part: string) => void (text += part) };
  const code = await run(argv, { ...io, stdout: stream, stderr: stream });
  return { text, code };
}

test.each([
  [['plann'], 'there is no command "rampart plann"', 'did you mean "rampart plan"?'],
  [['help', 'nosuch'], 'there is no command "rampart nosuch"', 'see rampart --help'],
  [['help', 'runs', 'shwo'], 'there is no command "rampart runs shwo"', 'did you mean "rampart runs show"?'],
  [['runs', 'shwo'], 'there is no command "rampart runs shwo"', 'did you mean "rampart runs show"?'],
  [
    ['state', 'audit', 'nosuch'],
    'there is no command "rampart state audit nosuch"',
    'see rampart state audit --help',
  ],
  [['approve'], 'there is no command "rampart approve"', 'did you mean "rampart server approve"?'],
  [
    ['server', 'aprove'],
    'there is no command "rampart server aprove"',
    'did you mean "rampart server approve"?',
  ],
  [['explain'], "missing required argument 'host'", 'see rampart explain --help'],
  [['runs', 'show'], "missing required argument 'run'", 'see rampart runs show --help'],
])('the command line %j is refused, with the right command or help as hint', async (argv, message, hint) => {
  expect(await output(...argv)).toEqual({
    text: `error[usage]: ${message}\n   = ${hint}\n\n1 error\n`,
    code: 3,
  });
});

const notText = 'It must not be empty.';
const notPath =
  'It must be a path: Rampart uses no standard input or output here. For a file with this name, write ./-.';

test.each([
  [['plan', '--out', ''], `option '--out <path>' argument '' is invalid. ${notText}`, 'plan '],
  [['plan', '--out', '-'], `option '--out <path>' argument '-' is invalid. ${notPath}`, 'plan '],
  [['import', '--out=-'], `option '--out <path>' argument '-' is invalid. ${notPath}`, 'import '],
  [
    ['hosts', 'snapshot', '--out', '-'],
    `option '--out <file>' argument '-' is invalid. ${notPath}`,
    'hosts snapshot ',
  ],
  [['hosts', '--log-file', '-'], `option '--log-file <file>' argument '-' is invalid. ${notPath}`, ''],
  [['plan', '-f', '-'], `option '-f, --file <path>' argument '-' is invalid. ${notPath}`, 'plan '],
  [['hosts', '--emulator='], `option '--emulator=SEED' argument '' is invalid. ${notText}`, ''],
  [['plan', '--account', ''], `option '--account <name>' argument '' is invalid. ${notText}`, ''],
  [
    ['runs', 'show', '', '--server', 'http://127.0.0.1:1'],
    `command-argument value '' is invalid for argument 'run'. ${notText}`,
    'runs show ',
  ],
  [['apply', '-'], `command-argument value '-' is invalid for argument 'plan'. ${notPath}`, 'apply '],
  [['test', 'a', ''], `command-argument value '' is invalid for argument 'paths'. ${notText}`, 'test '],
])('the command line %j is refused for the value that is no text or no path', async (argv, message, call) => {
  expect(await output(...argv)).toEqual({
    text: `error[usage]: ${message}\n   = see rampart ${call}--help\n\n1 error\n`,
    code: 3,
  });
});

test('every flag and argument with a text refuses an empty one, and every path also refuses "-"', () => {
  const accepted: string[] = [];
  for (const command of withCommandsBelow(whole)) {
    const values = [
      ...command.options
        .filter((each) => each.required || each.optional)
        .map((each) => ({ shown: each.flags, parse: each.parseArg })),
      ...command.registeredArguments.map((each) => ({ shown: `<${each.name()}>`, parse: each.parseArg })),
    ];
    for (const { shown, parse } of values) {
      for (const value of /<(?:file|path|folder|plan)/.test(shown) ? ['', '-'] : ['']) {
        try {
          parse?.(value, undefined as never);
          accepted.push(`${commandPath(command)} ${shown}`);
        } catch {}
      }
    }
  }
  expect(accepted).toEqual(['complete <words>', 'hosts <text>']);
});

test('every command has a description, and help prints it', async () => {
  const all = withCommandsBelow(whole).filter((command) => command !== whole);
  expect(all.filter((command) => command.description() === '').map(commandPath)).toEqual([]);
  for (const command of all.filter(({ parent }) => parent !== whole)) {
    const { text, code } = await output('help', ...commandPath(command).split(' '));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(command.description());
    expect(code).toBe(0);
  }
});

test('every flag for an age names what must not be older', () => {
  const flags = new Set(
    withCommandsBelow(whole).flatMap(({ options }) => options.map(({ long }) => long ?? '')),
  );
  const ages = [...flags].filter((flag) => /\b(age|older|newer)\b/.test(flag));
  expect(ages.toSorted()).toEqual(
    '--max-inventory-age --max-plan-age --max-read-age --max-run-age'.split(' '),
  );
});
