import { Option } from 'commander';
import type { AccountAck } from '../../accounts/rollouts/spread-acks.ts';
import {
  collect,
  countOption,
  durationOption,
  readAccountAck,
  readRate,
  singlePlanAcks,
} from '../shell/settings.ts';
import type { CliCommand } from './cli-command.ts';
import { inTopic } from './flag-topics.ts';

/** The flags that affect the content of a plan, without `--ack`: PlanningFlags in planning.ts. */
export function addPlanningFlags(command: CliCommand): CliCommand {
  command
    .option(
      '--target <host>',
      'Change only this host (id, name or CEL expression) and the hosts that depend on it. Repeatable.',
      collect,
    )
    .option('--exclude <host>', 'Leave out this host and the hosts that depend on it. Repeatable.', collect)
    .seldom(
      'planning',
      '--max-inventory-age <time>',
      'Fail if a rule needs inventory older than this.',
      durationOption,
    )
    .seldom('planning', '--delete-first', 'Delete hosts before renaming others, which saves calls.')
    .seldom('planning', '--skip-blocked', 'Leave out renames blocked by a name conflict, and plan the rest.')
    .seldom('planning', '--strict', 'Report an error for every entry that matches no host.')
    .addOption(inTopic('planning', emptyFleetOption()))
    .seldom(
      'planning',
      '--assume-rate <number>',
      'Assume that the service accepts this many calls per second (default: learned from earlier runs).',
      readRate,
    )
    .seldom(
      'planning',
      '--assume-latency <time>',
      'Assume that one call takes this long (default: learned from earlier runs).',
      durationOption,
    )
    .seldom(
      'planning',
      '--batch-size <count>',
      'Send at most this many hosts in one call (default: 1000).',
      countOption(1, 1_000_000),
    );
  return addInstallFlags(command);
}

export function emptyFleetOption(): Option {
  return new Option('--allow-empty-fleet', 'Accept an empty host list even if entries pin ids.');
}

/** The flags for installs that earlier runs requested. */
export function addInstallFlags(command: CliCommand): CliCommand {
  return command
    .seldom(
      'planning',
      '--antivirus-window <time>',
      'Treat a requested install as in progress or in doubt until a read shows it, but at most for this long (default: 24h).',
      durationOption,
    )
    .seldom(
      'planning',
      '--antivirus-settle <time>',
      'If a refresh does not show an install in doubt, request the install again after this long (default: 2h).',
      durationOption,
    );
}

/** The value of `--ack` for a command that takes several accounts. */
export interface AckFlag {
  readonly ack?: readonly AccountAck[];
}

export function accountAckOption(): Option {
  return new Option(
    '--ack <kind=count>',
    'Approve a plan that exceeds a limit: give its total, such as delete=28. With several accounts, give their sum; berlin:delete=3 is for one account. Repeatable.',
  ).argParser(readAccountAck);
}

/** The approvals for the plan of one account, and those for several. */
export function bothAcks(ack: AckFlag['ack']) {
  return ack === undefined ? {} : { ack: singlePlanAcks(ack), accountAcks: ack };
}

export function signOption(): Option {
  const words = 'Sign the saved plan with the key of RAMPART_SIGNING_KEY_FILE.';
  return inTopic('planning', new Option('--sign', words));
}

export function requireSignatureOption(): Option {
  return new Option(
    '--require-signature <name>',
    'Refuse a plan without a valid signature by this name of RAMPART_ALLOWED_SIGNERS, or by this identity and issuer of Sigstore. Repeatable: one valid signature is enough.',
  ).argParser(collect);
}
