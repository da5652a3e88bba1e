import { printable } from '../../core/lib/printable.ts';
import { quoted } from '../../core/lib/quoted.ts';
import type { Entry } from '../../core/model/entry.ts';
import { hasLineBreak } from '../../core/model/host-name.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';
import type { entryFields } from '../schema/entry-fields.ts';
import type { Span } from '../sources/source-text.ts';
import type { Members } from '../values/read-members.ts';
import { type Reading, report, warn } from '../values/reading.ts';

/** Attributes of one entry that contradict each other. */
export function checkAttributes(
  reading: Reading,
  members: Members<typeof entryFields>,
  ensure: Entry['ensure'],
): void {
  if (ensure === 'absent') {
    for (const member of [members.group, members.antivirus]) {
      if (member === undefined) continue;
      report(reading, member.key, 'invalid-value', `an absent host can't have "${member.key.text}"`, {
        hint: `remove "${member.key.text}", or remove "ensure: absent" to keep the host`,
      });
    }
  } else if (members.deleteAfter !== undefined) {
    report(reading, members.deleteAfter.key, 'invalid-value', '"deleteAfter" needs "ensure: absent"', {
      hint: 'add "ensure: absent" to delete the host at that time, or remove "deleteAfter"',
    });
  }
}

/** Checks a name that a host will get. */
export function checkName(reading: Reading, name: string, at: Span): void {
  if (readTemporaryName(name) !== undefined) {
    report(reading, at, 'invalid-value', `names such as ${quoted(name)} are reserved for temporary renames`, {
      hint: 'choose a name without "~rampart"',
    });
  }
  if (hasLineBreak(name)) {
    report(reading, at, 'invalid-value', `the name ${quoted(name)} contains a line break`, {
      hint: 'remove the line break',
    });
  } else if (printable(name) !== name) {
    warn(reading, at, 'suspicious-name', `the name ${quoted(name)} contains invisible characters`, {
      hint: 'type it again, unless the host really has this name',
    });
  } else if (name !== name.trim()) {
    warn(reading, at, 'suspicious-name', `the name ${quoted(name)} starts or ends with white space`, {
      hint: 'remove the white space, unless the host really has this name',
    });
  }
}
