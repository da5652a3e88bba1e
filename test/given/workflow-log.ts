/** A command that a runner of GitHub Actions takes from the log of a step. */
export interface WorkflowCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

export interface WorkflowLog {
  readonly commands: readonly WorkflowCommand[];
  /** What people see of it. */
  readonly text: string;
}

/** Reads a log as the runner does: both spellings of commands, and none of them while they are stopped. */
export function readWorkflowLog(log: string): WorkflowLog {
  const commands: WorkflowCommand[] = [];
  const text: string[] = [];
  let resume: string | undefined;
  for (const line of log.split(/\r\n|\r|\n/)) {
    const command = resume === undefined ? readCommand(line) : undefined;
    if (resume !== undefined && line.trimStart() === `::${resume}::`) resume = undefined;
    else if (command?.name === 'stop-commands') resume = command.message;
    else if (command === undefined) text.push(line);
    else commands.push(command);
  }
  return { commands, text: text.join('\n') };
}

function readCommand(line: string): WorkflowCommand | undefined {
  const [, name, properties = '', message = ''] =
    /^\s*::([\w-]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? /##\[([\w-]+)(?: ([^\]]*))?\](.*)$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const pairs = properties.split(/[,;]/).filter((each) => each.includes('='));
  return {
    name: name.toLowerCase(),
    properties: Object.fromEntries(
      pairs.map((each) => [each.slice(0, each.indexOf('=')), decoded(each.slice(each.indexOf('=') + 1))]),
    ),
    message: decoded(message),
  };
}

function decoded(text: string): string {
  return text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');
}
