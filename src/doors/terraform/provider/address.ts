/** Where the registry has the provider. */
export const providerAddress = 'registry.terraform.io/acme/rampart';
