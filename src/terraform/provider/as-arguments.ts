/** Sentences of the command line that have no flag in Terraform, and their replacements. */
const sentences: readonly (readonly [RegExp, string])[] = [
  [/, or allow (?:more time|a longer wait) with --(?:request-timeout|max-wait)/g, ''],
  [/; to request (?:it|the install again) now, add --antivirus-window 0s/g, ''],
  [
    /, or add --skip-blocked to leave out this rename/g,
    ', or set skip_blocked = true to leave out this rename',
  ],
  [/--max-wait allows/g, 'the provider allows'],
  [/wait for it with --lock-timeout, or if/g, 'wait until that run has ended, then apply again. If'],
  [/add --allow-empty-fleet or set policy/g, 'set policy'],
  [
    /--ack can't override the limit of a group: plan fewer changes with --target, or raise/g,
    "acks can't override the limit of a group: plan fewer changes, or raise",
  ],
  [/--ack does/g, 'acks does'],
  [/(?:with )?--state-dir/g, 'with state_dir in the provider block'],
  [/remove --fail-when-in-session/g, 'remove fail_when_in_session'],
  [/--ack (\w+)=(\d+)/g, 'acks = { $1 = $2 }'],
];

/** Arguments of the provider block that are set in preference to a variable of the environment. */
const argumentsOf: Readonly<Record<string, string>> = {
  RAMPART_BASE_URL: 'base_url',
  RAMPART_COMPANY_ID: 'company_id',
  RAMPART_PSK: 'psk',
  RAMPART_READ_ONLY: 'read_only',
  RAMPART_STATE_URL: 'the state block',
  RAMPART_STATE_URL_FILE: 'url_file',
};

/**
 * A hint that also contains the argument, wherever it contains only the variable and does not require the environment.
 */
export function withArguments(hint: string): string {
  if (/\bin the environment\b/.test(hint)) return hint;
  return hint.replace(/\bRAMPART_[A-Z_]+\b(?!=)/g, (variable) => {
    const argument = argumentsOf[variable];
    return argument === undefined || new RegExp(`\\b${argument}\\b`).test(hint)
      ? variable
      : `${argument} (or ${variable})`;
  });
}

/** A message or a hint with arguments of Terraform instead of command flags. */
export function asArguments(text: string): string {
  const replaced = sentences.reduce((now, [flag, argument]) => now.replace(flag, argument), text);
  return replaced.replace(
    /--(skip-blocked|delete-first|strict)\b/g,
    (_, flag: string) => `${flag.replace('-', '_')} = true`,
  );
}
