import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { workplace } from '../../../given/command-line.ts';
import type { FleetWorkspace } from './fleet-workspace.ts';

const guides = join(import.meta.dirname, '../../../../docs/terraform/guides');

/**
 * Follows sections of a guide: writes each block that begins with the name of a file, and runs each line of its shell
 * blocks. Texts are the last part of the output of the previous command. Returns the output of each command.
 */
export async function runGuide(
  fleet: FleetWorkspace,
  guide: string,
  sections: readonly string[],
): Promise<readonly string[]> {
  const page = readFileSync(join(guides, guide), 'utf8');
  const { rampart } = await workplace();
  const outputs: string[] = [];
  for (const section of sections) {
    const [, text] = page.split(`\n## ${section}\n`);
    if (text === undefined) throw new Error(`${guide} has no section "${section}"`);
    const [own = ''] = text.split('\n## ');
    for (const [, language, block = ''] of own.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
      if (language === 'text') expect(outputs.at(-1)).toContain(block.trim());
      else if (language === 'shell') {
        for (const line of block.trim().split('\n')) outputs.push(await runLine(line));
      } else writeBlock(block);
    }
  }
  return outputs;

  /** The provider runs in this process, in another folder, so its paths are made absolute. */
  function writeBlock(block: string): void {
    const name = /^# (\S+)\n/.exec(block)?.[1];
    if (name === undefined) throw new Error(`a block of ${guide} does not begin with the name of a file`);
    fleet.write(
      name,
      block.replaceAll(/"([\w-]+\.yaml)"/g, (_all, file: string) => `"${join(fleet.folder, file)}"`),
    );
  }

  async function runLine(line: string): Promise<string> {
    const [program, ...argv] = line.split(' ');
    if (program === 'terraform') {
      const [command = '', ...flags] = argv;
      const { status, output } = await fleet.run(command, '-no-color', ...flags);
      expect([line, status, status === 0 ? '' : output]).toEqual([line, 0, '']);
      return output;
    }
    expect(program).toBe('rampart');
    const { code, out, err } = await rampart(argv, { folder: fleet.folder });
    expect([line, code, err.includes('error')]).toEqual([line, 0, false]);
    return out + err;
  }
}
