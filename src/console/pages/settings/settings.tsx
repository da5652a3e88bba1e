import type { SettingsDetail as SettingsBody } from '../../../api/settings.ts';
import { consoleAddress, useAddress } from '../../browser/address.ts';
import { mayDoToServer } from '../../data/may.ts';
import { type PageResource, useResource } from '../../data/resource.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { NotificationsSection } from './notifications.tsx';
import { Roles } from './roles.tsx';
import { ServerFacts } from './server-facts.tsx';
import '../../../output/components/style/review.css';
import './settings.css';
import { SourcesSection } from './sources.tsx';
import { TokensSection } from './tokens.tsx';

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
