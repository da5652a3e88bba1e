import fc from 'fast-check';

/** The same cases each time, and no search for the smallest once one has failed. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1, endOnFailure: true });
