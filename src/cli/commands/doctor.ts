import { printable } from '../../core/lib/words.ts';
import type { Color } from '../../output/review/color.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodeOf } from '../../run/apply/exit-code.ts';
import { examine, type Finding } from '../service/health.ts';
import type { Context } from '../shell/context.ts';
import { problemDocument } from '../shell/problem-document.ts';

/** Checks everything that a run needs: versions, files, configuration, proxy, service, credentials, clocks. */
export async function doctor(context: Context): Promise<ExitCode> {
  const findings = await examine(context);
  const problems = findings.flatMap((each) => each.problems);
  if (context.settings.format === 'json') {
    context.printJson({
      ...problemDocument(problems),
      checks: findings.map(({ check, state, detail }) => ({ check, state, detail })),
    });
  } else print(findings, context);
  context.report(problems);
  return exitCodeOf(problems);
}

function print(findings: readonly Finding[], { print: write, settings, io }: Context): void {
  const rows = findings.map(({ check, state, detail }) => [
    { text: marks[state], paint: paintOf(state, settings.outColor) },
    { text: check },
    { text: printable(detail) },
  ]);
  const columns = ['fixed', 'fixed', 'name'] as const;
  write(`${layOut(rows, { columns, indent: 0, width: io.stdout.columns }).join('\n')}\n`);
}

const marks: Readonly<Record<Finding['state'], string>> = {
  well: '✓',
  doubtful: '!',
  ill: '✗',
  'not checked': '-',
};

function paintOf(state: Finding['state'], color: Color): (text: string) => string {
  switch (state) {
    case 'well':
      return color.green;
    case 'doubtful':
      return color.yellow;
    case 'ill':
      return color.red;
    case 'not checked':
      return color.dim;
  }
}
