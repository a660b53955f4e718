/**
 * Explains a TLS failure of a node to the operator, by the error code of Node.js. In each case nothing of the request has reached the node.
 */

const UNKNOWN_AUTHORITY =
  'no authority that is trusted here has signed its certificate: name its CA with NODE_EXTRA_CA_CERTS=FILE';
const NO_TLS = 'it does not speak TLS (tls_cert_file and tls_key_file in its config.toml), which https asks for';

const SENTENCES: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name than the one in COMETBFT_RPC_URL',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
};

/** Returns undefined when the failure has nothing to do with TLS. */
export function tlsFailure({ code = '', message }: NodeJS.ErrnoException): string | undefined {
  // OpenSSL's messages for bytes that are not TLS.
  if (code === 'EPROTO' && /wrong version number|packet length too long|record layer failure/.test(message))
    return NO_TLS;
  return SENTENCES[code];
}
