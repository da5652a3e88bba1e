import type { Settings } from '../../../api/settings.ts';
import { duration } from '../../../output/components/durations.ts';
import { counted } from '../../../output/components/numbers.ts';
import { Facts, Section } from '../../../output/components/section.tsx';
import { me } from '../../data/api.ts';

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
