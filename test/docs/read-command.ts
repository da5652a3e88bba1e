/** One line of a `sh` fence. */
export interface Command {
  readonly env: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  /** Where stdout goes as well. */
  readonly into?: string;
  /** What is typed at its prompt. */
  readonly answer?: string;
  readonly exitCode: number;
  /** It serves until the page ends. */
  readonly inBackground: boolean;
}

const ending = /\s+# exit (\d+)\s*$/;
const remark = /(?:^|\s+)#\s.*$/;

/**
 * Reads the shell syntax of the pages: words, quotation marks, `NAME=value` before a command, `> file`, `| tee file`,
 * `yes |` for the answer at a prompt, `&` for a server, and remarks, of which `# exit 2` contains the exit code.
 * Undefined for a remark or an `export` alone.
 */
export function readCommand(line: string): Command | undefined {
  const exitCode = Number(ending.exec(line)?.[1] ?? 0);
  const whole = line.replace(remark, '').trim();
  const inBackground = whole.endsWith(' &');
  const text = inBackground ? whole.slice(0, -2) : whole;
  if (text === '' || exported(line) !== undefined) return undefined;
  const answered = /^echo yes \| /.exec(text);
  const redirected = /\s+(?:>|\| tee)\s+([\w./-]+)$/.exec(text);
  const words = text
    .slice(answered?.[0].length ?? 0, redirected?.index)
    .match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)
    ?.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  const env: Record<string, string> = {};
  const rest = [...(words ?? [])];
  for (let set = assignment(rest[0]); set !== null; set = assignment(rest[0])) {
    env[set[1] as string] = set[2] as string;
    rest.shift();
  }
  if (rest[0] === 'npx') rest.shift();
  if (rest.shift() !== 'rampart') throw new Error(`not a command of rampart: ${line}`);
  return {
    env,
    argv: rest,
    exitCode,
    inBackground,
    ...(redirected?.[1] === undefined ? {} : { into: redirected[1] }),
    ...(answered === null ? {} : { answer: 'yes' }),
  };
}

/** `export NAME='value'` sets a variable for the rest of the page. */
export function exported(line: string): { readonly name: string; readonly value: string } | undefined {
  const match = /^export ([A-Z_]+)=(?:'([^']*)'|(\S*))$/.exec(line.trim());
  if (match === null) return undefined;
  return { name: match[1] as string, value: match[2] ?? match[3] ?? '' };
}

function assignment(word: string | undefined): RegExpExecArray | null {
  return /^([A-Z_]+)=(.*)$/.exec(word ?? '');
}
