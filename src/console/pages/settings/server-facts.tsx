import type { SettingsDetail } from '../../../api/settings.ts';
import { shortDuration } from '../../../output/components/durations.ts';
import { counted } from '../../../output/components/numbers.ts';
import { FactList, Section } from '../../../output/components/section.tsx';
import { signedIn } from '../../data/api.ts';

/** What is the same for all accounts. */
export function ServerFacts({ settings }: { readonly settings: SettingsDetail }) {
  const server = signedIn.value?.server;
  return (
    <Section title="Server">
      <FactList
        facts={[
          ['Version', server?.version ?? ''],
          ['Checks', `every account every ${shortDuration(settings.cadence_seconds)}`],
          ['Kept for', counted(settings.retention_days, 'day')],
          ['Login', server?.has_login === true ? 'by the login provider' : 'by a link on this machine only'],
          ['Service', server?.is_emulator === true ? 'emulated' : 'real'],
          ['File', <code key="file">{settings.file}</code>],
        ]}
      />
    </Section>
  );
}
