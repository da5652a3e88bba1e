/** The full id of a commit in Git: SHA-1 or SHA-256, in lower-case hexadecimal digits. */
export const commitId = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

/** A SHA-256 in lower-case hexadecimal digits, such as the checksum of a plan. */
export const sha256Id = /^[0-9a-f]{64}$/;
