/** The keys of rampart.config.yaml and of account files, with the descriptions that editors show. */
export type ConfigKeys = Readonly<Record<string, string>>;

export const configKeys = {
  accounts: 'The accounts by name.',
  include: 'Patterns of files with one account each, such as accounts/*/account.yaml.',
  defaults:
    'Settings of every account. In "key" and "files", {name} and {NAME} stand for the name of the account.',
  aliases: "The server's names, if they differ from those of the specification.",
  rollout: 'How "rampart apply" changes many accounts: in waves, and when it stops.',
  server: 'Settings of "rampart server".',
} as const satisfies ConfigKeys;

const settingKeys = {
  baseUrl: "The service's address. Default: RAMPART_BASE_URL.",
  auth: 'The form in which the key is sent: basic (the default) or json.',
  key: 'The location of the key. Default: RAMPART_PSK or RAMPART_PSK_FILE.',
  files:
    'Desired-state files and folders, relative to the folder of rampart.config.yaml. The files of "defaults" come first.',
  source: 'The source of "server" that the files are read from. Default: its only source.',
  labels: 'Labels, which --accounts selects by and expressions read as account.labels.',
  mode: 'What to do with differences: observe, propose (the default) or correct.',
  limits: 'Limits on the changes of one plan. The stricter of these and those of the desired state holds.',
  windows: 'When changes are allowed, in addition to the windows of the desired state.',
} as const satisfies ConfigKeys;

export const defaultKeys = settingKeys;

export const accountKeys = {
  companyId: 'The company id from the API settings of the account.',
  ...settingKeys,
} as const satisfies ConfigKeys;

export const accountFileKeys = {
  name: 'The name of the account. Default: the name of the file, or of its folder if the file is called account.yaml.',
  ...accountKeys,
} as const satisfies ConfigKeys;

export const keyKeys = {
  variable:
    'The environment variable that holds the key: RAMPART_PSK, or a name that ends with _PSK. NAME_FILE can name a file with the key instead.',
  file: 'The file that holds the key, as one line.',
  command: 'A program and its arguments; the program prints the key. Needs RAMPART_ALLOW_KEY_COMMANDS=1.',
  vault: 'A secret in the KV version 2 engine of HashiCorp Vault or OpenBao.',
  sessionIdVariable: 'The environment variable that holds the id of a login session.',
  profileIdVariable: 'The environment variable that holds the profile id of a login session.',
} as const satisfies ConfigKeys;

export const vaultKeys = {
  address: "The server's address, such as https://vault.example.com. Its origin must be pinned.",
  mount: 'The mount of the KV version 2 engine. Default: secret.',
  path: 'The path of the secret below the mount.',
  field: 'The field of the secret that holds the key. Default: psk.',
  namespace: 'The namespace, if the server has namespaces.',
  login: 'How to log in: tokenVariable, tokenFile or jwt.',
} as const satisfies ConfigKeys;

export const loginKeys = {
  tokenVariable:
    'The environment variable that holds the token: VAULT_TOKEN, or a name that ends with _VAULT_TOKEN.',
  tokenFile: 'The file that holds the token.',
  jwt: 'A login with a JSON Web Token.',
} as const satisfies ConfigKeys;

export const jwtKeys = {
  mount: 'The mount of the JWT method. Default: jwt.',
  role: 'The role to log in with.',
  tokenVariable:
    'The environment variable that holds the JSON Web Token: a name that ends with _ID_TOKEN or _JWT.',
  tokenFile: 'The file that holds the JSON Web Token.',
} as const satisfies ConfigKeys;

export const aliasKeys = {
  connectionPath: 'The last segment of the connection path: connection or connections.',
  installPath: 'The last segment of the path that installs the anti-virus.',
  vendorInstallSupported: "The server's name of this field.",
  hasVendorInstalled: "The server's name of this field.",
} as const satisfies ConfigKeys;
