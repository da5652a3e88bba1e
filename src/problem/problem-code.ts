/** The closed set of codes, by what the reader can do about them. The exit codes are read off these families. */
export const problemCodes = {
  /** The desired state, the configuration or the command line is wrong: nothing was sent. */
  input: [
    'usage',
    'configuration',
    'missing-credentials',
    'insecure-url',
    'account-mismatch',
    'file-missing',
    'file-unreadable',
    'file-not-text',
    'file-empty',
    'yaml-syntax',
    'yaml-alias-bomb',
    'csv-syntax',
    'script-failed',
    'unknown-key',
    'duplicate-key',
    'missing-key',
    'wrong-type',
    'wrong-version',
    'invalid-id',
    'invalid-value',
    'invalid-expression',
    'duplicate-host',
    'duplicate-name',
    'traded-names',
    'absent-but-claimed',
    'suspicious-name',
    'plan-file-invalid',
    'plan-file-version',
    'plan-file-checksum',
    'snapshot-invalid',
    'seed-invalid',
  ],
  /** The file and the fleet do not fit together: found at plan, after reading. */
  fleet: [
    'unknown-group',
    'ambiguous-group',
    'ambiguous-host',
    'host-claimed-twice',
    'previous-name-alive',
    'name-differs',
    'squatter',
    'live-duplicate',
    'awaiting-enrolment',
    'missing-host',
    'deletion-not-due',
    'left-parked',
    'lookalike-name',
    'hosts-missing',
    'not-settled',
    'antivirus-unsupported',
    'antivirus-in-progress',
    'antivirus-in-doubt',
    'antivirus-requested-again',
    'blocked',
    'list-inconsistent',
    'irreversible',
    'changed-since',
    'rule-without-answer',
    'rule-not-settled',
    'rule-ends-itself',
    'unknown-facts',
    'unknown-custom-field',
    'known-drift-unused',
    'policy-warning',
    'exclusive-group',
    'inventory-missing',
    'inventory-old',
  ],
  /** Rampart could, and will not without consent. */
  refused: [
    'limit-exceeded',
    'group-limit-exceeded',
    'ack-mismatch',
    'protected',
    'denied',
    'policy-undecided',
    'outside-window',
    'frozen',
    'unmanaged-hosts',
    'not-approved',
    'unpinned-origin',
    'read-only',
  ],
  /** The plan no longer fits the fleet or the account. */
  stale: ['stale-plan', 'other-account'],
  authentication: ['not-authenticated', 'forbidden'],
  /** The service or the way to it failed. */
  service: [
    'bad-request',
    'not-found',
    'not-allowed',
    'conflict',
    'too-large',
    'not-json',
    'rate-limited',
    'server-error',
    'unexpected-status',
    'malformed-response',
    'redirected',
    'network',
    'timed-out',
    'cancelled',
  ],
  /** What a run could not finish. */
  incomplete: [
    'step-failed',
    'step-unknown',
    'step-skipped',
    'antivirus-quota',
    'antivirus-unavailable',
    'interrupted',
    'budget-spent',
  ],
  unverified: ['not-converged'],
  /** The local machine, or a defect of ours. */
  local: ['lock-held', 'journal', 'inventory-cache', 'file-not-written', 'unforeseen'],
} as const;

export type ProblemFamily = keyof typeof problemCodes;
export type ProblemCode = (typeof problemCodes)[ProblemFamily][number];

const familyByCode: ReadonlyMap<string, ProblemFamily> = new Map(
  (Object.keys(problemCodes) as ProblemFamily[]).flatMap((family) =>
    problemCodes[family].map((code) => [code, family] as const),
  ),
);

export function familyOf(code: ProblemCode): ProblemFamily {
  return familyByCode.get(code) as ProblemFamily;
}
