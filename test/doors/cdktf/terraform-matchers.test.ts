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
} from '../../../src/doors/cdktf/index.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>> extends TerraformMatchers<R> {}
}

expect.extend(terraformMatchers);

function synthesised(): string {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  new RampartProvider(stack, 'rampart', { companyId: '1' });
  new ManagedHost(stack, 'one', { hostId: '1', name: 'A' });
  new ManagedHost(stack, 'two', { hostId: '2', name: 'B', previously: ['C'] });
  new DataRampartHost(stack, 'found', { name: 'D' });
  return Testing.synth(stack, true);
}

describe('the matchers', () => {
  test('know resources, data sources and providers by their classes', () => {
    expect(synthesised()).toHaveResource(Host);
    expect(synthesised()).not.toHaveResource(Fleet);
    expect(synthesised()).toHaveDataSource(DataRampartHost);
    expect(synthesised()).not.toHaveDataSource(DataRampartGroups);
    expect(synthesised()).toHaveProvider(RampartProvider);
  });

  test('search for one that has all properties, by value or by another matcher', () => {
    expect(synthesised()).toHaveResourceWithProperties(Host, { host_id: '2', name: 'B' });
    expect(synthesised()).not.toHaveResourceWithProperties(Host, { host_id: '1', name: 'B' });
    expect(synthesised()).toHaveResourceWithProperties(Host, { previously: expect.arrayContaining(['C']) });
    expect(synthesised()).toHaveDataSourceWithProperties(DataRampartHost, {
      name: expect.stringMatching(/^D$/),
    });
    expect(synthesised()).toHaveProviderWithProperties(RampartProvider, { company_id: '1' });
    expect(synthesised()).not.toHaveProviderWithProperties(RampartProvider, { company_id: '2' });
  });

  test('show what exists if they fail', () => {
    expect(() => expect(synthesised()).toHaveResourceWithProperties(Host, { name: 'X' })).toThrow(
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
