import '../../tiers/uses-a-system.ts';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const script = (folder: string) => `#!/bin/sh
dir='${folder}'
key=$2
case "$2" in cat-file) key="cat-file-\${3%%=*}";; esac
for word in "$@"; do case "$word" in --stdin) key=fetch-stdin;; esac; done
{ for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\n\\0'; } >> "$dir/calls"
env -0 > "$dir/$key.env"
case "$key" in fetch-stdin | cat-file---* | version) cat >> "$dir/$key.in";; esac
if [ -f "$dir/$key.hook" ]; then . "$dir/$key.hook"; fi
if [ -f "$dir/$key.err" ]; then cat "$dir/$key.err" >&2; exit 128; fi
if [ -f "$dir/$key.out" ]; then exec cat "$dir/$key.out"; fi
exit 0
`;

/**
 * A program `git` that records its calls, and responds with files. A call is named by its command, and by its first
 * argument if that determines what the command does: `ls-remote`, `fetch`, `fetch-stdin`, `cat-file-commit`.
 */
export function givenGit() {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-fake-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'git'), script(folder), { mode: 0o755 });
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const environment = (call: string) =>
    Object.fromEntries(
      read(`${call}.env`)
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  return {
    folder,
    env: { PATH: `${folder}:/usr/bin:/bin` },
    prints: (call: string, output: string | Buffer) => writeFileSync(join(folder, `${call}.out`), output),
    fails: (call: string, text: string) => writeFileSync(join(folder, `${call}.err`), text),
    /** Commands of the shell that the call runs first. */
    does: (call: string, commands: string) => writeFileSync(join(folder, `${call}.hook`), commands),
    input: (call: string) => read(`${call}.in`),
    environment,
    /** The settings that a call has in its environment. */
    settings: (call: string) => {
      const own = environment(call);
      return Object.fromEntries(
        Array.from({ length: Number(own['GIT_CONFIG_COUNT']) }, (_, at) => [
          own[`GIT_CONFIG_KEY_${at}`],
          own[`GIT_CONFIG_VALUE_${at}`],
        ]),
      );
    },
    /** The arguments of each call. */
    calls: () =>
      read('calls')
        .split('\n\0')
        .filter((line) => line !== '')
        .map((line) => line.split('\0').slice(0, -1)),
  };
}
