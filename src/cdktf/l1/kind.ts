import type { Arguments } from './arguments.ts';

/** What the provider's schema says of a class. */
export interface Kind {
  readonly tfResourceType: string;
  readonly providerVersion: string;
  /** The arguments that it takes. */
  readonly takes: Arguments;
}

export function generatorMetadata({ providerVersion }: Kind) {
  return { providerName: 'rampart', providerVersionConstraint: providerVersion };
}
