import { type Command, Option } from 'commander';
import { collect, readAck, readCount, readDuration, readRate } from '../shell/option-values.ts';

/** `-f`, for every command that reads a desired state. */
export function addFileFlag(command: Command): Command {
  return command.addOption(
    new Option('-f, --file <path>', 'a file or folder of the desired state; repeatable').argParser(collect),
  );
}

/** What decides the content of a plan: PlanningFlags in planning.ts. */
export function addPlanningFlags(command: Command): Command {
  const valued = <T>(flags: string, meaning: string, read: (text: string, earlier?: T) => T) =>
    command.addOption(new Option(flags, meaning).argParser(read));
  valued('--ack <kind=count>', 'agree to exactly so many beyond a limit; repeatable', readAck);
  valued('--target <host>', 'only this host (id, name or CEL) and what depends on it; repeatable', collect);
  valued('--exclude <host>', 'all but this host and what depends on it; repeatable', collect);
  valued('--max-age <time>', 'refuse to go by inventory that is older', readDuration);
  command
    .option('--delete-first', 'delete before renaming, which saves calls')
    .option('--skip-blocked', 'leave out renames that another host’s name blocks, and go on')
    .option('--strict', 'an entry that matches no host is an error')
    .option('--allow-empty-fleet', 'accept a list without hosts although entries pin ids')
    .option('--fast', 'cut long chains of renames: at most 2 % more calls, for less time');
  valued(
    '--assume-rate <number>',
    'calls a second that the service accepts (learned by earlier runs)',
    readRate,
  );
  valued('--assume-latency <time>', 'how long one call takes (learned by earlier runs)', readDuration);
  valued('--batch-size <count>', 'hosts in one call at most (1000)', readCount(1, 1_000_000));
  return addInstallFlags(command);
}

/** What is made of installs that earlier runs requested. */
export function addInstallFlags(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--antivirus-window <time>',
        'how long an install that no read shows counts as in progress or in doubt (24h)',
      ).argParser(readDuration),
    )
    .addOption(
      new Option(
        '--antivirus-settle <time>',
        'request an install in doubt again so long after a refresh that shows none (2h)',
      ).argParser(readDuration),
    );
}
