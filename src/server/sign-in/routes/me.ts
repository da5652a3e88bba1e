import { me } from '../../../api/overview.ts';
import { ok } from '../../../core/problem/problem.ts';
import { route } from '../../http/route.ts';

export const meRoutes = [
  route({
    id: 'getMe',
    method: 'get',
    path: '/api/v1/me',
    tag: 'Access',
    summary: 'Show who you are and which roles you have.',
    access: { action: 'read', on: 'self' },
    answer: me,
    async handle({ identity, parts }) {
      const { subject, email, grants, csrf, expiresAt } = identity;
      return ok({
        subject: { ...subject },
        email,
        grants,
        csrf,
        session_expires_at: expiresAt,
        server: {
          version: parts.version,
          is_emulator: parts.isEmulator,
          has_login: parts.settings.login !== undefined,
        },
      });
    },
  }),
];
