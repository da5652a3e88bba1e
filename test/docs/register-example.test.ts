import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { workplace } from '../given/command-line.ts';

const emulator = ['--emulator=seed.yaml', '--emulator-state=fleet.state'];

/** The address of the register that the example serves. */
async function serveRegister(folder: string): Promise<string> {
  const register = spawn(process.execPath, ['serve.mjs', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void register.kill());
  const [line] = (await once(register.stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

it('the example gives the same plan for a register in a file and over HTTP, and a second plan is empty', {
  timeout: 120_000,
}, async () => {
  const { rampart, folder } = await workplace();
  await cp(join(import.meta.dirname, '../../examples/register'), folder, { recursive: true });
  const env = { RAMPART_SOURCE_REGISTER_URL: await serveRegister(folder) };
  await rampart(['hosts', 'inventory', 'pull', '--hardware', ...emulator]);
  const plan = (file: string, ...more: readonly string[]) =>
    rampart(['plan', '-f', file, '-f', 'rules.yaml', ...emulator, ...more], { env });
  const stepsOf = async (file: string) => {
    const { code, out, err } = await plan(file, '--json');
    expect({ code, err }).toMatchObject({ code: 0 });
    const { steps } = JSON.parse(out) as { readonly steps: readonly { readonly kind: string }[] };
    return steps;
  };
  const fromFile = await stepsOf('fleet.yaml');
  const overHttp = await stepsOf('http.yaml');
  const withoutReasons = (steps: readonly object[]) =>
    JSON.parse(
      JSON.stringify(steps, (key, value: unknown) => (key === 'reason' ? undefined : value)),
    ) as unknown;
  expect(withoutReasons(overHttp)).toEqual(withoutReasons(fromFile));
  expect(fromFile.filter(({ kind }) => kind === 'rename')).toHaveLength(248);
  expect((await plan('http.yaml', '--out', 'plan.json')).code).toBe(0);
  expect((await rampart(['apply', 'plan.json', ...emulator])).code).toBe(0);
  expect((await plan('http.yaml', '--detailed-exitcode')).code).toBe(0);
  expect((await plan('fleet.yaml', '--detailed-exitcode')).code).toBe(0);
});
