import { defined } from '../../../core/lib/defined.ts';
import { type Environment, valueOf } from '../../../core/lib/surroundings.ts';
import type { Origin } from '../journal/record.ts';
import { type PipelineOrigin, pipelineOrigin } from './pipeline-origin.ts';
import { safeAddress, safeReason, safeWord } from './safe-text.ts';

/** The facts that the machine itself provides. */
export interface LocalOrigin {
  readonly user: string;
  readonly host: string;
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
}

export interface OriginInputs {
  readonly env: Environment;
  readonly local: LocalOrigin;
  /** `apply` */
  readonly command: string;
  /** Overrides RAMPART_RUN_REASON. */
  readonly reason?: string | undefined;
  /** Overrides RAMPART_RUN_TICKET. */
  readonly ticket?: string | undefined;
  /** Exact counts by kind. */
  readonly approvals?: Readonly<Record<string, number>> | undefined;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/**
 * Who runs this, from where and why: from RAMPART_RUN_*, else from the pipeline, else from the machine. Every text is
 * cut to one line of limited length, without secrets.
 */
export function originOf(inputs: OriginInputs): Origin {
  const { env, local, command, reason, ticket, approvals = {}, redact } = inputs;
  const given = givenOrigin(env);
  const pipeline = pipelineOrigin(env);
  const word = (text: string | undefined) => safeWord(text === undefined ? undefined : redact(text));
  const pick = (name: keyof PipelineOrigin) => word(given[name]) ?? word(pipeline[name]);
  return defined({
    actor: pick('actor') ?? word(local.user) ?? 'unknown',
    host: word(local.host) ?? 'unknown',
    command: word(command),
    commit: pick('commit') ?? word(local.commit),
    branch: pick('branch') ?? word(local.branch),
    request: addressOf(given.request, redact) ?? addressOf(pipeline.request, redact),
    job: addressOf(given.job, redact) ?? addressOf(pipeline.job, redact),
    reason: safeReason(redact(reason ?? valueOf(env, 'RAMPART_RUN_REASON') ?? '')),
    ticket: word(ticketOf(ticket, env)),
    approvals: Object.keys(approvals).length === 0 ? undefined : { ...approvals },
  }) as Origin;
}

/** The number of the change ticket that a run names. */
export function ticketOf(given: string | undefined, env: Environment): string | undefined {
  return given ?? valueOf(env, 'RAMPART_RUN_TICKET');
}

/** Does a source other than the machine provide the commit? */
export function isCommitKnown(env: Environment): boolean {
  return (givenOrigin(env).commit ?? pipelineOrigin(env).commit) !== undefined;
}

function givenOrigin(env: Environment): PipelineOrigin {
  return {
    actor: valueOf(env, 'RAMPART_RUN_ACTOR'),
    commit: valueOf(env, 'RAMPART_RUN_COMMIT'),
    branch: valueOf(env, 'RAMPART_RUN_BRANCH'),
    request: safeAddress(valueOf(env, 'RAMPART_RUN_REQUEST')),
    job: safeAddress(valueOf(env, 'RAMPART_RUN_JOB')),
  };
}

/** The address was cleaned when it was read; only its path can still contain a secret. */
function addressOf(address: string | undefined, redact: (text: string) => string): string | undefined {
  return address === undefined ? undefined : redact(address);
}
