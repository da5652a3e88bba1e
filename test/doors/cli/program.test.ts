import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createRedaction } from '../../../src/control/engine/redaction.ts';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { buildProgram } from '../../../src/doors/cli/program.ts';
import { run } from '../../../src/doors/cli/run.ts';
import { commandPath, withCommandsBelow } from '../../../src/doors/cli/shell/command-path.ts';
import type { Io } from '../../../src/doors/cli/shell/io.ts';

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
])('with %s, all commands are defined', (_, argv) => {
  expect(programFor(...argv).commands.map((command) => command.name())).toEqual(names);
});

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
  [['audit', 'nosuch'], 'there is no command "rampart audit nosuch"', 'see rampart audit --help'],
  [['explain'], "missing required argument 'host'", 'see rampart explain --help'],
  [['runs', 'show'], "missing required argument 'run'", 'see rampart runs show --help'],
])(
  'the command line %j is refused with the right command or its help as the hint',
  async (argv, message, hint) => {
    expect(await output(...argv)).toEqual({
      text: `error[usage]: ${message}\n   = ${hint}\n\n1 error\n`,
      code: 3,
    });
  },
);

test('every command has a description, and help prints it', async () => {
  const all = withCommandsBelow(whole).filter((command) => command !== whole);
  expect(all.filter((command) => command.description() === '').map(commandPath)).toEqual([]);
  for (const command of all.filter(({ parent }) => parent !== whole)) {
    const { text, code } = await output('help', ...commandPath(command).split(' '));
    expect(text.replaceAll(/\s+/g, ' ')).toContain(command.description());
    expect(code).toBe(0);
  }
});
