/**
 * `host`: only the host is known, as in `--where`. `rule`: its account too. `change`: a change of the host as well, as in
 * policies. `texts`: no facts, only named texts, as in selectors of accounts.
 */
export type ExpressionScope = 'host' | 'rule' | 'change' | 'texts';
