/** The provider's address in the registry. */
export const providerAddress = 'registry.terraform.io/acme/rampart';
