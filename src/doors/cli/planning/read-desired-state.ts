import { printable } from '../../../core/lib/printable.ts';
import type { Desired } from '../../../core/model/desired.ts';
import type { Result } from '../../../core/problem/result.ts';
import { type LoadDesiredOptions, loadDesired } from '../../../input/load-desired.ts';
import type { Context } from '../shell/context.ts';
import { foreignCode } from '../trust/foreign-code.ts';

/** The desired state of the files given with `-f`, or of this folder's. */
export async function readDesiredState(files: readonly string[], context: Context): Promise<Result<Desired>> {
  return loadDesired(files, loadOptions(context));
}

export function loadOptions({ io }: Context): LoadDesiredOptions {
  const onOutput = (text: string) => {
    const lines = text.split('\n').map(printable).join('\n');
    io.stderr.write(lines.endsWith('\n') ? lines : `${lines}\n`);
  };
  const why = foreignCode(io.env);
  return { cwd: io.cwd, env: io.env, onOutput, ...(why === null ? {} : { noScripts: why }) };
}
