/**
 * `--emulator=SEED` takes its value only after the sign, so that `rampart apply --emulator plan.json` means what it
 * says. Commander would take the next word, so the value goes to a flag of its own.
 */
export function separateSeed(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return argv.map((word, index) =>
    word.startsWith('--emulator=') && (end === -1 || index < end)
      ? word.replace('--emulator=', '--emulator-seed=')
      : word,
  );
}
