import type { Settings } from '../../../api/settings.ts';
import { me } from '../../data/api.ts';
import { Facts, Section } from '../../parts/page.tsx';
import { counted } from '../../words/numbers.ts';
import { duration } from '../../words/times.ts';

/** What is the same for all accounts. */
export function ServerFacts({ settings }: { readonly settings: Settings }) {
  const server = me.value?.server;
  return (
    <Section title="Server">
      <Facts
        facts={[
          ['Version', server?.version ?? ''],
          ['Checks', `every account every ${duration(settings.cadence_seconds)}`],
          ['Kept for', counted(settings.retention_days, 'day')],
          ['Login', server?.has_login === true ? 'by the login provider' : 'by a link on this machine only'],
          ['Service', server?.is_emulator === true ? 'emulated' : 'real'],
          ['File', <code key="file">{settings.file}</code>],
        ]}
      />
    </Section>
  );
}
