import { describe, expect, it } from 'vitest';
import { givenService, workplace } from '../given/command-line.ts';

const failing: readonly (readonly [string, readonly string[], number, string])[] = [
  ['a file that is not there', ['plan', '--emulator', '-f', 'none.yaml'], 3, 'file-missing'],
  ['a file that is no YAML', ['plan', '--emulator', '-f', 'bad.yaml'], 3, 'yaml-syntax'],
  ['a file that is no desired state', ['apply', '--emulator', '-f', 'wrong.yaml'], 3, 'unknown-key'],
  ['a plan file that is none', ['show', 'bad.yaml'], 3, 'plan-file-invalid'],
  ['no credentials', ['hosts'], 3, 'configuration'],
  ['a host that is not there', ['explain', 'NOBODY', '--emulator', '-f', 'good.yaml'], 3, 'missing-host'],
  ['a flag that is not known', ['hosts', 'groups', '--bogus'], 3, 'usage'],
  ['an expression that is wrong', ['hosts', '--emulator', '--where', 'host.nme == "x"'], 3, 'usage'],
  ['a run that is not known', ['runs', 'show', 'nothing'], 3, 'usage'],
];

describe('a command that fails before it has printed anything', () => {
  it.each(failing)('says why as JSON on stdout, only with --json: %s', async (_what, argv, exit, code) => {
    const place = await givenFiles();
    expect(await place.rampart(argv)).toMatchObject({ out: '', code: exit });
    const { out, err, ...ran } = await place.rampart([...argv, '--json']);
    const document = JSON.parse(out);
    expect(document).toMatchObject({ format_version: '1.0', errors: true });
    expect(ran.code).toBe(exit);
    expect(document.problems).toContainEqual(expect.objectContaining({ code }));
    expect(out.trimEnd()).not.toContain('\n');
    expect(err).toContain('error[');
  });

  it('names the place of each problem', async () => {
    const place = await givenFiles();
    const { out } = await place.rampart('plan --emulator -f wrong.yaml --json');
    expect(JSON.parse(out).problems).toContainEqual(
      expect.objectContaining({ code: 'unknown-key', file: 'wrong.yaml', line: 2, col: 1 }),
    );
  });

  it('with credentials that are refused', async () => {
    const place = await givenFiles();
    const { env } = await givenService({ hosts: [] });
    const { out, code } = await place.rampart('hosts --json', { env: { ...env, RAMPART_PSK: 'wrong' } });
    expect(code).toBe(4);
    expect(JSON.parse(out).problems).toMatchObject([{ code: 'not-authenticated' }]);
  });
});

async function givenFiles() {
  const place = await workplace({ 'bad.yaml': 'hosts: [\n', 'wrong.yaml': 'version: 1\nhots: []\n' });
  await place.write('good.yaml', 'version: 1\nhosts: []\n');
  return place;
}
