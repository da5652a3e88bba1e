import { line, list, type Setting, section, text } from '../../accounts/config/setting.ts';
import { duration, integer, word } from '../../accounts/config/setting-values.ts';
import { defined } from '../../core/lib/defined.ts';
import { type NotificationSettings, notificationKinds, type SmtpSettings } from './server-settings.ts';
import { mailAddress, secretKeys, secretSetting, selector } from './setting-values.ts';

const hostName = line({
  words: 'a host name',
  parse: (given) => (/^[A-Za-z0-9](?:[A-Za-z0-9.:-]*[A-Za-z0-9])?$/.test(given) ? given : undefined),
});

/** Names that begin with `forge:` belong to the forges of sources. */
const notificationName = line({
  words: 'a name that does not begin with "forge:"',
  parse: (given) => (given.startsWith('forge:') ? undefined : given),
});

const smtp: Setting<SmtpSettings> = section(
  {
    host: { is: hostName, meaning: 'The mail server.', required: true },
    port: { is: integer(1, 65_535), meaning: 'Its port. Default: 465 with tls, otherwise 587.' },
    security: {
      is: word(['tls', 'starttls', 'none']),
      meaning: 'tls, starttls, or none for a mail server of this machine.',
      byDefault: 'starttls',
    },
    user: { is: text, meaning: 'The user to log in as.' },
    ...secretKeys('password', 'the password of the user'),
  },
  (values, at): SmtpSettings | undefined => {
    const { host, security, user } = values;
    const password = secretSetting('password', values, at);
    if ((user === undefined) !== (password === undefined))
      return at.refuse(
        null,
        'a login at a mail server needs "user" and "passwordFile" or "passwordVariable"',
      );
    return {
      host,
      port: values.port ?? (security === 'tls' ? 465 : 587),
      security,
      ...defined({ user, password }),
    };
  },
);

const keys = {
  name: { is: notificationName, meaning: 'The name of the notification.', required: true },
  kind: {
    is: word(['slack', 'teams', 'webhook', 'email']),
    meaning: 'slack, teams, webhook or email.',
    required: true,
  },
  ...secretKeys('url', 'the address of the webhook'),
  ...secretKeys('secret', 'the secret that signs messages of a webhook'),
  smtp: { is: smtp, meaning: 'The mail server, for email.' },
  from: { is: mailAddress, meaning: 'The sender, for email.' },
  to: { is: list(mailAddress), meaning: 'The recipients, for email.' },
  kinds: {
    is: list(word(notificationKinds)),
    meaning: `What to report: ${notificationKinds.join(', ')}. Default: all.`,
  },
  digest: {
    is: duration(60_000, 86_400_000, 'from 1m to 24h'),
    meaning: 'Collect messages for this time and send them as one. Default: send each at once.',
  },
} as const;

/** Where messages go, and which. */
export function notificationSettings(labels: ReadonlySet<string>): Setting<NotificationSettings> {
  const where = {
    is: selector(labels),
    meaning: 'The accounts to report: a CEL expression over labels and name. Default: all accounts.',
  } as const;
  return section({ ...keys, where }, (values, at): NotificationSettings | undefined => {
    const { name, kind, from, to = [] } = values;
    const common = {
      name,
      kinds: values.kinds ?? notificationKinds,
      digestMs: values.digest ?? null,
      place: at.place,
      ...(values.where === undefined ? {} : { where: values.where }),
    };
    const url = secretSetting('url', values, at);
    const secret = secretSetting('secret', values, at);
    if (secret !== undefined && kind !== 'webhook')
      return at.refuse(null, `messages of kind ${kind} are not signed: only a webhook has a secret`);
    if (kind === 'email') {
      if (values.smtp === undefined || from === undefined || to.length === 0)
        return at.refuse(null, `the notification "${name}" needs "smtp", "from" and "to"`);
      if (url !== undefined) return at.refuse(null, 'email has no address of a webhook');
      return { ...common, kind, smtp: values.smtp, from, to };
    }
    if (url === undefined) {
      return at.refuse(null, `the notification "${name}" needs "urlFile" or "urlVariable"`);
    }
    return { ...common, kind, url, ...(secret === undefined ? {} : { secret }) };
  });
}
