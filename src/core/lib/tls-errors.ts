/** The codes of connections whose certificate was not accepted: OpenSSL's, as Node names them, and Node's own. */
export const certificateErrors =
  /CERT|CRL|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|^(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

/** The codes of connections to something that speaks no TLS, or no version of it that both accept. */
export const handshakeErrors = /^ERR_SSL_|^EPROTO$/;
