/**
 * The certificate and the key of HTTPS, read and checked together before anything uses them. At a start a wrong pair is
 * refused with a sentence; a running server keeps the pair that it has.
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
  /** For the log: what operators compare with what they ordered. */
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
    // The first one of a chain: the server's own.
    return new X509Certificate(text);
  } catch {
    throw new MaterialsError([`The file ${file} (TLS_CERT_FILE) holds no certificate in PEM form.`]);
  }
}

function parseKey(text: string, file: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // Not the library's own words: they may say something about what is in the file.
    throw new MaterialsError([
      `The file ${file} (TLS_KEY_FILE) holds no private key in PEM form, or one with a passphrase.`,
    ]);
  }
}

/**
 * @param options.group may read the key too (TXLEDGER_KEY_FILE_GROUP).
 * @param options.nowMs to find a certificate that has expired, which no client accepts, or that is not valid yet.
 * @throws MaterialsError with what is wrong.
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
