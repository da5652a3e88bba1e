import { Command, Option } from 'commander';
import { collect } from '../shell/option-values.ts';
import type { Format } from '../shell/settings.ts';
import { inTopic, type SeldomTopic } from './flag-topics.ts';

/** A command, with what many commands of Rampart have in common. */
export class CliCommand extends Command {
  /** What the command prints in addition to text and JSON. */
  formats: readonly Format[] = [];

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  /** Formats in addition to text and JSON. */
  prints(...formats: readonly Format[]): this {
    this.formats = formats;
    return this;
  }

  /** The last part of the help. */
  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }

  /** A flag that only the help of its topic explains. */
  seldom<T>(topic: SeldomTopic, flags: string, words: string, read?: (text: string, earlier: T) => T): this {
    const option = new Option(flags, words);
    if (read !== undefined) option.argParser(read);
    return this.addOption(inTopic(topic, option));
  }

  /** `-f`, for a command that reads a desired state. */
  desiredFiles(): this {
    const words = 'Read the desired state from this file or folder. Repeatable.';
    return this.option('-f, --file <path>', words, collect);
  }

  /** `--observed`, for a command that needs no credentials then. */
  observed(words = 'Use this snapshot of the fleet. Needs no credentials.'): this {
    return this.option('--observed <file>', words);
  }

  /** `--server`, for a command that can ask a server. */
  askServer(words: string): this {
    return this.option('--server [url]', words);
  }
}
