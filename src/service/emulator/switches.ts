/**
 * The behaviors that the specification leaves open, as choices; `switch-table.ts` has the default and meaning of each.
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
