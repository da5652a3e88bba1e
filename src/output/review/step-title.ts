import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { describeGroup } from '../../core/plan/intents/groups.ts';
import type { BatchMember, Step } from '../../core/plan/types/step.ts';

/** A step in one line, safe to print: `rename BER-1 → BER-2 (host 17)`, `delete 3 hosts`. */
export function stepTitle(step: Step): string {
  switch (step.kind) {
    case 'rename':
      return `rename ${shownName(step.from)} → ${printable(step.to)} (host ${step.hostId})`;
    case 'temporary-rename':
      return `rename temporarily ${shownName(step.from)} → ${printable(step.to)} (host ${step.hostId})`;
    case 'move':
      return `move ${hosts(step.hosts)} to ${describeGroup({ id: step.groupId, name: step.groupName }, printable)}`;
    case 'antivirus':
      return `install anti-virus on ${hosts(step.hosts)}`;
    case 'refresh':
      return `refresh the anti-virus status of ${hosts(step.hosts)}`;
    case 'delete':
      return `delete ${hosts(step.hosts)}`;
  }
}

/** A name as text. Blanks at its ends would be invisible, so they are shown as symbols. */
export function shownName(name: string | null): string {
  if (name === null) return '(no name)';
  if (name === '') return '(empty name)';
  return printable(name).replace(/^ +|(?<! ) +$/g, (blanks) => '␠'.repeat(blanks.length));
}

function hosts(members: readonly BatchMember[]): string {
  const [first] = members;
  return members.length === 1 && first !== undefined
    ? `${shownName(first.name)} (host ${first.hostId})`
    : count(members.length, 'host');
}
