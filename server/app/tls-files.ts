/**
 * Reads the certificate and the key of HTTPS and checks them together before they are used. A start refuses a wrong pair with a message; a
 * running server keeps its current pair.
 *
 * @module
 */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { TlsPair } from '../http/index.ts';
import type { Config } from './config.ts';
import { MaterialsError } from './materials.ts';
import { readSecretFile, SecretFileError } from './secret-file.ts';

export interface CheckedTlsPair extends TlsPair {
  /** For the log: operators compare it with the certificate that they ordered. */
  readonly subject: string;
  readonly validTo: string;
}

function readCertificate(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new MaterialsError([`Cannot read the certificate (TLS_CERT_FILE) at ${file}: ${(error as Error).message}`]);
  }
}

function readKey(file: string, group: number | undefined): string {
  try {
    return readSecretFile(file, 'the private key (TLS_KEY_FILE)', group);
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error;
    throw new MaterialsError([error.message]);
  }
}

function parseCertificate(text: string, file: string): X509Certificate {
  try {
    // The first certificate of a chain is the server's own.
    return new X509Certificate(text);
  } catch {
    throw new MaterialsError([`The file ${file} (TLS_CERT_FILE) holds no certificate in PEM form.`]);
  }
}

function parseKey(text: string, file: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // The library's own message is not repeated: it may quote the content of the file.
    throw new MaterialsError([
      `The file ${file} (TLS_KEY_FILE) holds no private key in PEM form, or one with a passphrase.`,
    ]);
  }
}

/**
 * @param options.group group that may read the key too (TXLEDGER_KEY_FILE_GROUP).
 * @param options.nowMs current time, to refuse a certificate that has expired, which no client accepts, or is not valid yet.
 * @throws MaterialsError with the faults.
 */
export function readTlsPair(
  files: NonNullable<Config['tls']>,
  options: { group?: number | undefined; nowMs?: number } = {},
): CheckedTlsPair {
  const { group, nowMs = Date.now() } = options;
  const cert = readCertificate(files.certificate);
  const key = readKey(files.key, group);
  const certificate = parseCertificate(cert, files.certificate);
  if (!certificate.checkPrivateKey(parseKey(key, files.key))) {
    throw new MaterialsError([
      `The key at ${files.key} (TLS_KEY_FILE) is not that of the certificate at ${files.certificate} (TLS_CERT_FILE).`,
    ]);
  }
  const { validFrom, validTo, subject } = certificate;
  if (Date.parse(validTo) <= nowMs)
    throw new MaterialsError([`The certificate at ${files.certificate} (TLS_CERT_FILE) expired on ${validTo}.`]);
  if (Date.parse(validFrom) > nowMs)
    throw new MaterialsError([
      `The certificate at ${files.certificate} (TLS_CERT_FILE) is valid only from ${validFrom}.`,
    ]);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new MaterialsError([
      `The certificate at ${files.certificate} (TLS_CERT_FILE) cannot be used: ${(error as Error).message}.`,
    ]);
  }
  return { cert, key, subject, validTo };
}
