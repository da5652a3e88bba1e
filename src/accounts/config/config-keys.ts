import { defined } from '../../core/lib/defined.ts';
import type { Aliases } from '../../service/client/aliases.ts';
import { accountSettings, defaultSettings } from './read-account.ts';
import { rolloutSettings } from './rollout-config.ts';
import { type Keys, lenientSection, list, record, type Setting, section, text } from './setting.ts';
import { word } from './setting-values.ts';

export const aliasSettings: Setting<Aliases> = section(
  {
    connectionPath: {
      is: word(['connection', 'connections']),
      meaning: 'The last segment of the connection path: connection or connections.',
    },
    installPath: { is: text, meaning: 'The last segment of the path that installs the anti-virus.' },
    vendorInstallSupported: { is: text, meaning: "The server's name of this field." },
    hasVendorInstalled: { is: text, meaning: "The server's name of this field." },
  },
  ({ connectionPath, installPath, ...fields }): Aliases => ({
    ...defined({ connectionPath, installPath }),
    ...(Object.keys(fields).length > 0 && { fields }),
  }),
);

/** The keys of rampart.config.yaml. Only the server knows what is in `server`. */
export const configKeys = {
  accounts: { is: record(accountSettings), meaning: 'The accounts by name.' },
  include: {
    is: list(text),
    meaning: 'Patterns of files with one account each, such as accounts/*/account.yaml.',
  },
  defaults: {
    is: defaultSettings,
    meaning:
      'Settings of every account. In "key" and "files", {name} and {NAME} stand for the name of the account.',
  },
  aliases: {
    is: aliasSettings,
    meaning: "The server's names, if they differ from those of the specification.",
  },
  rollout: {
    is: rolloutSettings,
    meaning: 'How "rampart apply" changes many accounts: in waves, and when it stops.',
  },
  server: {
    is: lenientSection({}, () => null),
    meaning: 'Settings of "rampart server".',
  },
} as const satisfies Keys;
