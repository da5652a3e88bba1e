/**
 * What the spec leaves open, as choices. The defaults are what clients of live services have seen or rely on;
 * `switchMeanings` says what each is about and how sure that is.
 */
export interface Switches {
  readonly authenticationCheck: '401' | 'success-false';
  readonly customFieldsWithoutCredentials: '403' | '401';
  readonly accept: 'ignored' | 'enforced';
  readonly malformedBody: '415' | '400';
  readonly wrongMethod: '404' | '405';
  readonly connectionSegment: 'either' | 'connection' | 'connections';
  readonly connectionErrorType: 'text/html' | 'application/json';
  readonly connectionStartsSession: boolean;
  readonly vendorWord: string;
  readonly jsonPrefix: 'custom-fields' | 'everywhere' | 'nowhere';
  readonly hostExtras: boolean;
  readonly maxDescriptionLength: number | null;
  readonly trimDescription: boolean;
  readonly blankDescription: 'refused' | 'accepted';
  readonly nameConflict: 'any-case' | 'exact-case';
  readonly caseOnlyRename: 'succeeds' | 'conflicts';
  readonly renameToOwnName: 'succeeds' | 'conflicts';
  readonly moveToUngrouped: 'accepted' | 'refused';
  readonly badIds: 'all-or-nothing' | 'rest-done';
  readonly badIdsNamed: boolean;
  readonly emptyIds: 'refused' | 'accepted';
  readonly maxBatch: number | null;
  readonly tooLarge: '400' | '413';
  readonly reportTokenLifeMs: number;
  readonly reportReadyAfterMs: number;
  readonly reportHosts: 'pages-of-50' | '50-in-all';
  readonly hostsWithoutCustomFields: 'left-out' | 'listed';
  readonly refreshOfUnknownHost: 'not-sent' | 'refused';
  readonly installStatus: 'accepted' | 'pending';
  readonly installTakesMs: number;
  readonly installOffline: 'accepted' | 'unavailable';
  readonly installUnsupported: 'unavailable' | 'skipped';
  readonly antivirusQuota: number | null;
  readonly quotaRule: 'nothing-done' | 'fills-up';
  readonly retryDelay: boolean;
  readonly retryAfterHeader: boolean;
  readonly refusedCallsCount: boolean;
}

export const defaultSwitches: Switches = {
  authenticationCheck: '401',
  customFieldsWithoutCredentials: '403',
  accept: 'ignored',
  malformedBody: '415',
  wrongMethod: '404',
  connectionSegment: 'either',
  connectionErrorType: 'text/html',
  connectionStartsSession: false,
  vendorWord: 'vendor',
  jsonPrefix: 'custom-fields',
  hostExtras: true,
  maxDescriptionLength: 255,
  trimDescription: false,
  blankDescription: 'refused',
  nameConflict: 'any-case',
  caseOnlyRename: 'succeeds',
  renameToOwnName: 'succeeds',
  moveToUngrouped: 'accepted',
  badIds: 'all-or-nothing',
  badIdsNamed: true,
  emptyIds: 'refused',
  maxBatch: null,
  tooLarge: '400',
  reportTokenLifeMs: 60_000,
  reportReadyAfterMs: 0,
  reportHosts: 'pages-of-50',
  hostsWithoutCustomFields: 'left-out',
  refreshOfUnknownHost: 'not-sent',
  installStatus: 'accepted',
  installTakesMs: 0,
  installOffline: 'accepted',
  installUnsupported: 'unavailable',
  antivirusQuota: null,
  quotaRule: 'nothing-done',
  retryDelay: true,
  retryAfterHeader: false,
  refusedCallsCount: false,
};

/** How sure a default is: shown or relied on by several clients, by one, a fair guess, or nobody knows. */
type Certainty = 'high' | 'medium' | 'low' | 'unknown';

export interface SwitchMeaning {
  readonly meaning: string;
  readonly certainty: Certainty;
}

export const switchMeanings: Readonly<Record<keyof Switches, SwitchMeaning>> = {
  authenticationCheck: {
    meaning: 'what the authentication check answers to bad credentials: 401, or 200 with success false',
    certainty: 'medium',
  },
  customFieldsWithoutCredentials: {
    meaning: 'what the custom-field lists answer when there is no Authorization header at all',
    certainty: 'medium',
  },
  accept: {
    meaning: 'whether an Accept header that is missing or asks for something else is refused with 400',
    certainty: 'high',
  },
  malformedBody: {
    meaning: 'the status for a body that has the right content type and is not JSON',
    certainty: 'unknown',
  },
  wrongMethod: {
    meaning: 'the status for a known path with another method (405 on the connection path in any case)',
    certainty: 'unknown',
  },
  connectionSegment: { meaning: 'which spelling of the connection path exists', certainty: 'unknown' },
  connectionErrorType: { meaning: 'the content type of the connection’s error bodies', certainty: 'medium' },
  connectionStartsSession: {
    meaning: 'whether a connection ticket puts the host in session at once',
    certainty: 'unknown',
  },
  vendorWord: {
    meaning: 'the anti-virus vendor’s word in the install path and in two member names',
    certainty: 'high',
  },
  jsonPrefix: { meaning: "which 200 bodies begin with `)]}',` and a line break", certainty: 'medium' },
  hostExtras: {
    meaning: 'whether the v2 lists carry hostName and hostStateChangeDate, which the spec does not name',
    certainty: 'high',
  },
  maxDescriptionLength: {
    meaning: 'the longest name in UTF-16 units, beyond which a rename is refused with 400',
    certainty: 'unknown',
  },
  trimDescription: { meaning: 'whether a rename drops blanks at the ends of the name', certainty: 'unknown' },
  blankDescription: {
    meaning: 'whether a name that is empty or all blanks is an invalid string',
    certainty: 'unknown',
  },
  nameConflict: {
    meaning: 'whether two names that differ only in letter case or Unicode form are in conflict',
    certainty: 'unknown',
  },
  caseOnlyRename: {
    meaning: 'whether a host can change only the letter case of its own name',
    certainty: 'low',
  },
  renameToOwnName: { meaning: 'whether a host can be given exactly the name it has', certainty: 'unknown' },
  moveToUngrouped: { meaning: 'whether -1 is accepted as the target of a move', certainty: 'low' },
  badIds: {
    meaning:
      'whether a move or a deletion with some unknown ids does nothing, or does the others, before its 400',
    certainty: 'low',
  },
  badIdsNamed: { meaning: 'whether the 400 names the unknown ids in hostIds', certainty: 'medium' },
  emptyIds: { meaning: 'whether a call for no hosts is refused with 400', certainty: 'unknown' },
  maxBatch: { meaning: 'the most host ids in one call', certainty: 'unknown' },
  tooLarge: { meaning: 'the status for more ids than that', certainty: 'unknown' },
  reportTokenLifeMs: { meaning: 'how long a report token lives, in milliseconds', certainty: 'medium' },
  reportReadyAfterMs: {
    meaning: 'how long a fresh report answers 404 because it is not ready, in milliseconds',
    certainty: 'medium',
  },
  reportHosts: {
    meaning: 'whether a report shows all its hosts in pages of fifty, or only the first fifty',
    certainty: 'medium',
  },
  hostsWithoutCustomFields: {
    meaning: 'whether hosts that have no custom field are in the list, with empty metadata',
    certainty: 'unknown',
  },
  refreshOfUnknownHost: {
    meaning: 'whether a status refresh of an unknown host is a line with sentSuccessfully false, or a 400',
    certainty: 'unknown',
  },
  installStatus: { meaning: 'the status of an install that was taken on', certainty: 'unknown' },
  installTakesMs: {
    meaning: 'how long it takes until the details show an install, in milliseconds',
    certainty: 'unknown',
  },
  installOffline: { meaning: 'whether an install on an offline host is taken on', certainty: 'unknown' },
  installUnsupported: {
    meaning: 'whether one host that cannot take the product spoils the whole request',
    certainty: 'unknown',
  },
  antivirusQuota: { meaning: 'how many installs the account has left', certainty: 'unknown' },
  quotaRule: {
    meaning: 'whether a request beyond the quota does nothing, or as many as fit in the order given',
    certainty: 'unknown',
  },
  retryDelay: { meaning: 'whether a 429 body has retryDelay, in seconds', certainty: 'medium' },
  retryAfterHeader: { meaning: 'whether a 429 has a Retry-After header', certainty: 'unknown' },
  refusedCallsCount: { meaning: 'whether calls that get 429 use up the limit too', certainty: 'unknown' },
};
