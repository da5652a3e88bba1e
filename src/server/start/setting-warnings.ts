import { isLoopback } from '../../core/lib/loopback.ts';
import { quoted } from '../../core/lib/words.ts';
import { type Problem, warning } from '../../core/problem/problem.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

/** Settings with which the server works, but not as their author expected. */
export function settingWarnings(settings: ServerSettings): readonly Problem[] {
  return [...unknownLabel(settings), ...plainMail(settings), ...missingApprovers(settings)];
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
    each.kind === 'email' && each.smtp.security === 'none' && !isLoopback(each.smtp.host)
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

/** Without a login, everyone who opens the link is the same person, and no plan gets a second approval from them. */
function missingApprovers({ login, approvals, reviewers = [] }: ServerSettings): readonly Problem[] {
  const most = Math.max(1, ...approvals.map(({ required }) => required));
  if (login !== undefined || most <= 1 + reviewers.length) return [];
  return [
    warning('configuration', `${most} people must approve plans, but without "login" only one can sign in`, {
      hint: 'set "login", or require 1 approval',
    }),
  ];
}
