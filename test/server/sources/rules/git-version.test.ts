import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gitVersionProblem } from '../../../../src/server/sources/rules/git-version.ts';

test.each([
  ['git version 2.36.9', 'Git 2.36 is too old for sources'],
  ['git version 1.99.0', 'Git 1.99 is too old for sources'],
  ['no version', "Git can't be started, and a source needs it"],
  ['git version 2.37.0', undefined],
  ['git version 2.50.1 (Apple Git-155)', undefined],
  ['git version 3.0.0.windows.1', undefined],
])('the version of Git on this machine decides whether it can read sources: %s', (words, message) => {
  const bin = mkdtempSync(join(tmpdir(), 'rampart-bin-'));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho '${words}'\n`, { mode: 0o755 });
  expect(gitVersionProblem({ PATH: bin })?.message).toBe(message);
});

test('Git is looked up with the variables that a fetch passes to it, and with no secret', () => {
  const bin = mkdtempSync(join(tmpdir(), 'rampart-bin-'));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  const script = '#!/bin/sh\n[ "$HOME$RAMPART_PSK" = /home/ada ] && echo git version 2.50.1\n';
  writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
  expect(gitVersionProblem({ PATH: bin, HOME: '/home/ada', RAMPART_PSK: 'secret' })).toBeUndefined();
});

test('a machine without Git is reported with a hint', () => {
  expect(gitVersionProblem({ PATH: '/nowhere' })).toMatchObject({
    code: 'configuration',
    hint: 'install Git 2.37 or later, or use a folder as the source',
  });
});
