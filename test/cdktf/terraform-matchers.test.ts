import { TerraformStack, Testing } from 'cdktf';
import { describe, expect, test, vi } from 'vitest';
import {
  DataRampartGroups,
  DataRampartHost,
  Fleet,
  Host,
  ManagedHost,
  RampartProvider,
  type TerraformMatchers,
  terraformMatchers,
} from '../../src/cdktf/index.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>> extends TerraformMatchers<R> {}
}

expect.extend(terraformMatchers);

function synthesized(): string {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new RampartProvider(stack, 'rampart', { companyId: '1' });
  new ManagedHost(stack, 'one', { hostId: '1', name: 'A' });
  new ManagedHost(stack, 'two', { hostId: '2', name: 'B', previously: ['C'] });
  new DataRampartHost(stack, 'found', { name: 'D' });
  return Testing.synth(stack, true);
}

describe('the matchers', () => {
  test('know resources, data sources and providers by their classes', () => {
    expect(synthesized()).toHaveResource(Host);
    expect(synthesized()).not.toHaveResource(Fleet);
    expect(synthesized()).toHaveDataSource(DataRampartHost);
    expect(synthesized()).not.toHaveDataSource(DataRampartGroups);
    expect(synthesized()).toHaveProvider(RampartProvider);
  });

  test('search for one that has all properties, by value or by another matcher', () => {
    expect(synthesized()).toHaveResourceWithProperties(Host, { host_id: '2', name: 'B' });
    expect(synthesized()).not.toHaveResourceWithProperties(Host, { host_id: '1', name: 'B' });
    expect(synthesized()).toHaveResourceWithProperties(Host, { previously: expect.arrayContaining(['C']) });
    expect(synthesized()).toHaveDataSourceWithProperties(DataRampartHost, {
      name: expect.stringMatching(/^D$/),
    });
    expect(synthesized()).toHaveProviderWithProperties(RampartProvider, { company_id: '1' });
    expect(synthesized()).not.toHaveProviderWithProperties(RampartProvider, { company_id: '2' });
  });

  test('show what exists if they fail', () => {
    expect(() => expect(synthesized()).toHaveResourceWithProperties(Host, { name: 'X' })).toThrow(
      /Expected rampart_host with properties \{"name":"X"\} to be present.*"host_id": "1"/s,
    );
  });

  test('refuse a folder without Terraform files, without running Terraform', () => {
    vi.stubEnv('PATH', '');
    expect('/nowhere').not.toBeValidTerraform();
    expect('/nowhere').not.toPlanSuccessfully();
    vi.unstubAllEnvs();
  });
});
