import { describe, expect, it } from 'vitest';
import { createServerMetrics, type MetricSources } from '../../../src/server/metrics/server-metrics.ts';
import { queueNames } from '../../../src/server/queue/queue.ts';

function metrics(audit: MetricSources['audit'] = async () => ({ head: null, isBroken: false })) {
  const none = { ready: 0, active: 0, failed: 0 };
  return createServerMetrics({
    counts: async () =>
      Object.fromEntries(queueNames.map((name) => [name, none])) as Record<
        (typeof queueNames)[number],
        typeof none
      >,
    accounts: async () => ({
      health: { converged: 3 },
      unchecked: 1,
      waitingFor: { approval: 2 },
      oldestCheckAt: 1_000,
      unmatched: { assets: 12, hosts: 3 },
    }),
    audit,
    now: () => 61_000,
  });
}

describe('the metrics of a server', () => {
  it('count 429 responses and calls without a response separately', async () => {
    const given = metrics();
    given.called('eu', 'listHosts', 429);
    given.called('eu', 'listHosts', null);
    const text = await given.print();
    expect(text).toContain('rampart_rate_limited_total{label="eu"} 1');
    expect(text).toContain('rampart_calls_total{action="listHosts",status="none"} 1');
  });

  it('show the age of the oldest check, and accounts that were never checked', async () => {
    const text = await metrics().print();
    expect(text).toContain('rampart_oldest_check_age_seconds 60');
    expect(text).toContain('rampart_accounts{health="unchecked"} 1');
    expect(text).toContain('rampart_accounts_waiting{for="approval"} 2');
    expect(text).toContain('rampart_register_unmatched{of="assets"} 12');
  });

  it('keep a copy of the signed head of the audit log, and show that it was changed', async () => {
    expect(await metrics().print()).toContain('rampart_audit_broken 0');
    const head = { seq: 12, hash: `0000000000ff${'a'.repeat(52)}` };
    const text = await metrics(async () => ({ head, isBroken: true })).print();
    expect(text).toContain('rampart_audit_signed_records 12');
    expect(text).toContain('rampart_audit_signed_hash 255');
    expect(text).toContain('rampart_audit_broken 1');
  });

  it('keep the number of series bounded, whatever labels the accounts have', async () => {
    const given = metrics();
    for (let at = 0; at < 500; at += 1) {
      given.converged(`customer-${at}`, 60);
      given.checked(`customer-${at}`, 'done', 1);
      given.changed(`customer-${at}`, 'rename', 2);
      given.called(`customer-${at}`, 'listHosts', 429);
    }
    const text = await given.print();
    expect(text).toContain('rampart_check_seconds_count{outcome="done",label="other"} 450');
    expect(text).toContain('rampart_changed_hosts_total{kind="rename",label="other"} 900');
    expect(text).toContain('rampart_rate_limited_total{label="other"} 450');
    expect(text.match(/rampart_converge_seconds_count/g)).toHaveLength(51);
    expect(text).toContain('rampart_converge_seconds_count{label="other"} 450');
  });
});
