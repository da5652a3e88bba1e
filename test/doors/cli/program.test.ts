import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { buildProgram } from '../../../src/doors/cli/program.ts';
import type { Io } from '../../../src/doors/cli/shell/io.ts';
import { createRedaction } from '../../../src/doors/cli/shell/redaction.ts';

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

test.each(names.filter((name) => name !== 'complete'))(
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
  ['a flag before the command', ['-q', 'plan']],
  ['completion', ['complete', 'pl']],
])('with %s, all commands are defined', (_, argv) => {
  expect(programFor(...argv).commands.map((command) => command.name())).toEqual(names);
});
