import { expect, it } from 'vitest';
import { ok } from '../../../../src/core/problem/problem.ts';
import type { AuditLog } from '../../../../src/run/state/audit/audit-log.ts';
import { auditInTurn } from '../../../../src/run/state/files/audit-in-turn.ts';
import { systemClock } from '../../../../src/service/client/system-clock.ts';

it('appends of one process to an audit log run one after another, and continue after one fails', async () => {
  let atOnce = 0;
  let most = 0;
  let calls = 0;
  const audit = {
    async append() {
      atOnce += 1;
      calls += 1;
      most = Math.max(most, atOnce);
      const isFirst = calls === 1;
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      if (isFirst) throw new Error('broken');
      return ok({ seq: calls, hash: '' });
    },
  } as unknown as AuditLog;
  const { append } = auditInTurn(audit);
  const all = await Promise.allSettled([1, 2, 3].map(() => append(systemClock, [])));
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(most).toBe(1);
});
