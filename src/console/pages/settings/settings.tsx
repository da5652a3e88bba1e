import type { SettingsDetail as SettingsBody, SettingsDetail } from '../../../api/settings.ts';
import { shortDuration } from '../../../output/components/durations.ts';
import { counted } from '../../../output/components/numbers.ts';
import { FactList, Section } from '../../../output/components/section.tsx';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { signedIn } from '../../data/api.ts';
import { mayDoToServer } from '../../data/may.ts';
import { type PageResource, useResource } from '../../data/resource.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { NotificationsSection } from './notifications.tsx';
import { Roles } from './roles.tsx';
import { SourcesSection } from './sources.tsx';
import { TokensSection } from './tokens.tsx';
import '../../../output/components/style/review.css';
import './settings.css';

const tabs = [
  { key: 'sources', title: 'Sources' },
  { key: 'notifications', title: 'Notifications' },
  { key: 'tokens', title: 'Tokens' },
  { key: 'roles', title: 'Roles' },
  { key: 'server', title: 'Server' },
] as const;

/** How the server is set up. The file rules: only tokens are made and revoked here. */
export function SettingsPage() {
  const { get } = useAddress();
  const current = tabs.find(({ key }) => key === get('tab'))?.key ?? 'sources';
  const settings: PageResource<SettingsBody> = useResource<SettingsBody>('/settings', {
    when: ({ type }) => type === 'source.changed' || type === 'notification.changed',
  });
  return (
    <Page
      title="Settings"
      below={
        settings.value === null ? undefined : (
          <p>
            These settings come from <code>{settings.value.file}</code>. To change them, edit the file and
            start the server again. You manage tokens here.
          </p>
        )
      }
    >
      <Tabs
        label="Settings"
        current={current}
        tabs={tabs.map(({ key, title }) => ({
          key,
          title,
          href: key === 'sources' ? consoleAddress.settings() : `${consoleAddress.settings()}?tab=${key}`,
        }))}
      />
      {current === 'tokens' ? (
        <TokensSection isAllowed={mayDoToServer('manage-tokens')} />
      ) : (
        <Loaded of={settings} tried="Reading the settings">
          {(value) =>
            current === 'sources' ? (
              <SourcesSection sources={value.sources} />
            ) : current === 'notifications' ? (
              <NotificationsSection notifications={value.notifications} onChange={settings.reload} />
            ) : current === 'roles' ? (
              <Roles roles={value.roles} />
            ) : (
              <ServerFacts settings={value} />
            )
          }
        </Loaded>
      )}
    </Page>
  );
}

/** What is the same for all accounts. */
function ServerFacts({ settings }: { readonly settings: SettingsDetail }) {
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
