import { type Command, Help, type Option } from 'commander';
import { commandLineOf } from '../shell/command-path.ts';

/**
 * The help of a command explains the flags that most people need, and names the others. `rampart help planning` explains
 * those of one topic.
 */
const topics = {
  planning: 'Flags of plans',
  running: 'Flags of runs',
  rollouts: 'Flags of rollouts over several accounts',
  flags: 'Flags of every command',
} as const;

type Topic = keyof typeof topics;

/** The topics whose flags belong to some commands only. */
export type SeldomTopic = Exclude<Topic, 'flags'>;

export const topicNames = Object.keys(topics) as readonly Topic[];

export function isTopic(word: string | undefined): word is Topic {
  return word !== undefined && Object.hasOwn(topics, word);
}

/** Only the help of the topic explains this flag. */
export function inTopic(topic: SeldomTopic, option: Option): Option {
  return option.helpGroup(topic);
}

export function isInTopic({ helpGroupHeading }: Option): boolean {
  return isTopic(helpGroupHeading);
}

/** At the end of the help of a command: the flags that it does not explain. */
export function namesOfOtherFlags(command: Command, helper: Help): string {
  const program = programOf(command);
  const own = command === program ? [] : command.options;
  const isOwn = new Set(own.map(({ long }) => long));
  const lists = topicNames.flatMap((topic) => {
    const flags =
      topic === 'flags'
        ? globalFlagsOf(program).filter(({ long }) => !isOwn.has(long))
        : own.filter(({ helpGroupHeading }) => helpGroupHeading === topic);
    const names = flags.flatMap(({ long }) => long ?? []);
    return names.length === 0
      ? []
      : [{ term: `${commandLineOf(program)} help ${topic}`, names: names.join(' ') }];
  });
  const width = Math.max(...lists.map(({ term }) => term.length));
  const lines = lists.map(({ term, names }) => helper.formatItem(term, width, names, helper));
  return `More flags:\n${lines.join('\n')}\n`;
}

/** What `rampart help TOPIC` prints. */
export function topicHelp(program: Command, topic: Topic): string {
  const help = new Help();
  help.helpWidth = program.configureOutput().getOutHelpWidth?.() ?? 100;
  const flags = topic === 'flags' ? globalFlagsOf(program) : flagsInTopic(program, topic);
  const width = Math.max(...flags.map((each) => help.optionTerm(each).length));
  const lines = flags.map((each) =>
    help.formatItem(help.optionTerm(each), width, help.optionDescription(each), help),
  );
  return `${topics[topic]}:\n${lines.join('\n')}\n`;
}

function globalFlagsOf(program: Command): readonly Option[] {
  return program.options.filter(({ hidden, long }) => !hidden && long !== '--version');
}

/** Several commands have the same flag. */
function flagsInTopic(program: Command, topic: Topic): readonly Option[] {
  const below = (command: Command): readonly Option[] => [
    ...command.options.filter(({ helpGroupHeading }) => helpGroupHeading === topic),
    ...command.commands.flatMap(below),
  ];
  return [...new Map(below(program).map((option) => [option.long, option])).values()];
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}
