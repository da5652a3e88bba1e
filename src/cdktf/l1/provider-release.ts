/** The source of the provider, and the release that these constructs are written for. */
export const providerSource = 'acme/rampart';
export const providerVersion = '~> 0.1';

export const generatorMetadata = { providerName: 'rampart', providerVersionConstraint: providerVersion };
