import type { ProviderAction, ProviderCall } from '../provider/call.ts';
import type { DataSource } from '../provider/data-source.ts';
import type { Ephemeral } from '../provider/ephemeral.ts';
import type { ListResource } from '../provider/list-resource.ts';
import type { Provider } from '../provider/provider.ts';
import type { Resource } from '../provider/resource.ts';

/**
 * The state of one connection: the configured client, and whether Terraform asked it to stop. A process may serve
 * several connections, as provider aliases do in debug mode.
 */
export class Session<Client> {
  readonly provider: Provider<Client>;
  readonly #stop = new AbortController();
  #configured: { readonly client: Client } | null = null;

  constructor(provider: Provider<Client>) {
    this.provider = provider;
  }

  configured(client: Client): void {
    this.#configured = { client };
  }

  /** Null before `ConfigureProvider` has succeeded. The given signal ends only the call, and a stop ends all calls. */
  callWith(ofCall: AbortSignal): ProviderCall<Client> | null {
    if (this.#configured === null) return null;
    return { ...this.#configured, signal: AbortSignal.any([ofCall, this.#stop.signal]) };
  }

  stop(): void {
    this.#stop.abort();
    if (this.#configured !== null) this.provider.stop?.(this.#configured.client);
  }

  async close(): Promise<void> {
    this.stop();
    const configured = this.#configured;
    this.#configured = null;
    if (configured !== null) await this.provider.close?.(configured.client);
  }

  resource(name: string): Resource<Client> | null {
    return named(this.provider.resources, name);
  }

  dataSource(name: string): DataSource<Client> | null {
    return named(this.provider.dataSources, name);
  }

  ephemeral(name: string): Ephemeral<Client> | null {
    return named(this.provider.ephemerals, name);
  }

  list(name: string): ListResource<Client> | null {
    return named(this.provider.lists, name);
  }

  action(name: string): ProviderAction<Client> | null {
    return named(this.provider.actions, name);
  }
}

function named<T>(offers: Readonly<Record<string, T>> | undefined, name: string): T | null {
  return offers !== undefined && Object.hasOwn(offers, name) ? (offers[name] as T) : null;
}
