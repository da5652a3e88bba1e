import { quoted } from '../../core/lib/words.ts';
import { type Problem, warning } from '../../core/problem/problem.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import { isLoopbackHost } from '../settings/setting-values.ts';

/** Settings with which the server works, but not as their author expected. */
export function settingWarnings(settings: ServerSettings): readonly Problem[] {
  return [...unknownLabel(settings), ...plainMail(settings)];
}

function unknownLabel({ metrics: { label, place }, labels }: ServerSettings): readonly Problem[] {
  if (label === undefined || labels.has(label)) return [];
  return [
    warning('configuration', `no account has the label ${quoted(label)} of "metrics"`, {
      ...(place === undefined ? {} : { place }),
      hint: `the labels are ${[...labels].sort().join(', ') || 'none'}`,
    }),
  ];
}

/** A mail server on another machine gets no message without encryption. */
function plainMail({ notifications }: ServerSettings): readonly Problem[] {
  return notifications.flatMap((each) =>
    each.kind === 'email' && each.smtp.security === 'none' && !isLoopbackHost(each.smtp.host)
      ? [
          warning(
            'configuration',
            `the notification "${each.name}" is sent without encryption, so only if ${each.smtp.host} is this machine`,
            { place: each.place, hint: 'set security to starttls or tls' },
          ),
        ]
      : [],
  );
}
