import type { PlanRows } from '../review/rows.ts';
import { groupNames } from './groups.ts';
import { hostTable } from './host-table.ts';
import { html } from './markup.ts';
import { foldHtml, type Section } from './section.ts';
import { counted } from './words.ts';

/** Lists with at most this many hosts are unfolded. */
const mostUnfolded = 25;

/** Changes that no undo reverts, with each host by name. */
export function irreversibleSection(rows: PlanRows): readonly Section[] {
  const groups = groupNames(rows);
  const nameless = rows.renames
    .flatMap((each) => each.rows)
    .filter((row) => row.hazards.includes('no-previous-name'));
  const blocks = [
    { title: 'Delete', hosts: rows.deletions, tone: 'delete', rest: '' },
    { title: 'Install anti-virus on', hosts: rows.installs, tone: 'antivirus', rest: '' },
    { title: 'Rename', hosts: nameless, tone: 'rename', rest: ' without a previous name to restore' },
  ].filter((each) => each.hosts.length > 0);
  if (blocks.length === 0) return [];
  const content = blocks.map(({ title, hosts, tone, rest }) => {
    const caption = `${title} ${counted(hosts.length, 'host')}${rest}`;
    return foldHtml({
      title: html`${caption}`,
      content: hostTable(hosts, { caption, groups }),
      open: hosts.length <= mostUnfolded,
      tone,
    });
  });
  return [{ id: 'irreversible', title: 'Irreversible changes', content: html`${content}` }];
}
