import { describe, expect, test } from 'vitest';
import { problem, warning } from '../../../src/core/problem/problem.ts';
import { toDiagnostics } from '../../../src/terraform/provider/service.ts';

const shown = (message: string, hint?: string) =>
  toDiagnostics([problem('configuration', message, hint === undefined ? {} : { hint })])[0];

describe('a diagnostic of Terraform', () => {
  test.each([
    ['host 1 is not in the list', 'Host 1 is not in the list'],
    ["anti-virus can't be installed", "Anti-virus can't be installed"],
    ["can't read the list", "Can't read the list"],
    ['stopped', 'Stopped'],
    ['write, for example, "10%"', 'Write, for example, "10%"'],
    ['not started: the run was stopped', 'Not started: the run was stopped'],
  ])('begins with a capital: %s', (message, summary) => {
    expect(shown(message, message)).toMatchObject({ summary, detail: `${summary}.` });
  });

  test.each([
    'http://10.0.0.1 is refused',
    'https://service.example/api answered with 500',
    'company_id is not set',
    'acks = { delete = 2 } approves another number',
    'renameHost is refused',
    'fleet.yaml has no hosts',
    'hosts/berlin.yaml has no hosts',
    'localhost:8080 refuses connections',
    '"unmanaged" is set in two files',
    'size(x) is not supported',
    'RAMPART_PROFILE_ID is not set',
    'p95 is too high',
  ])('keeps the case of an identifier or an address: %s', (message) => {
    expect(shown(message, message)).toMatchObject({ summary: message, detail: `${message}.` });
  });

  test('ends its hint as a sentence', () => {
    expect(shown('x', 'did you mean "y"?')?.detail).toBe('Did you mean "y"?');
    expect(shown('x')).not.toHaveProperty('detail');
  });

  test.each(
    Object.entries({
      'try again later, or allow a longer wait with --max-wait': 'Try again later.',
      'choose a writable folder with --state-dir':
        'Choose a writable folder with state_dir in the provider block.',
      'wait for it with --lock-timeout, or if you are sure that it has ended, run: rampart state unlock':
        'Wait until that run has ended, then apply again. If you are sure that it has ended, run: rampart state unlock.',
      'approve exactly this number with --ack delete=3':
        'Approve exactly this number with acks = { delete = 3 }.',
      'or add --skip-blocked': 'Or add skip_blocked = true.',
      'the install is not requested again; to request it now, add --antivirus-window 0s':
        'The install is not requested again.',
    }),
  )('has arguments instead of the flags of: %s', (hint, detail) => {
    expect(shown('x', hint)).toMatchObject({ detail });
  });

  test.each(
    Object.entries({
      'check RAMPART_BASE_URL and the network': 'Check base_url (or RAMPART_BASE_URL) and the network.',
      'unset RAMPART_READ_ONLY to allow it; RAMPART_READ_ONLY=reports allows reports':
        'Unset read_only (or RAMPART_READ_ONLY) to allow it; RAMPART_READ_ONLY=reports allows reports.',
      'check RAMPART_STATE_URL, or the file that RAMPART_STATE_URL_FILE names':
        'Check the state block (or RAMPART_STATE_URL), or the file that url_file (or RAMPART_STATE_URL_FILE) names.',
      'set base_url in the provider block, or RAMPART_BASE_URL':
        'Set base_url in the provider block, or RAMPART_BASE_URL.',
      'check RAMPART_RUN_ACTOR': 'Check RAMPART_RUN_ACTOR.',
      'set url or url_file in the block, or RAMPART_STATE_URL in the environment':
        'Set url or url_file in the block, or RAMPART_STATE_URL in the environment.',
    }),
  )('has the argument before the variable of: %s', (hint, detail) => {
    expect(shown('x', hint)).toMatchObject({ detail });
  });

  test('names the place of the problem, and shows what a terminal must not print', () => {
    const place = { file: 'fleet.yaml', line: 3, col: 5 };
    const [diagnostic] = toDiagnostics(
      [warning('configuration', 'a\u001b[2Jb', { hint: 'try\nagain', place })],
      ['content'],
    );
    expect(diagnostic).toEqual({
      severity: 'warning',
      summary: 'a␛[2Jb',
      detail: 'At fleet.yaml:3:5.\n\nTry\nagain.',
      path: ['content'],
    });
  });

  test('is not made of a note', () => {
    expect(toDiagnostics([{ ...problem('configuration', 'x'), severity: 'note' }])).toEqual([]);
  });
});
