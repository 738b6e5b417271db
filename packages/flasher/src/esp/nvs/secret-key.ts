/** Recognises secret values: by the name of the key, by its namespace, and by the value itself. */
import { asciiBytes, indexOfBytes } from '../../core/bytes.ts';
import type { NvsValue } from './nvs-value.ts';

/** `apsw` and `pmk` are in the keys of Wi-Fi in ESP-IDF: sta.apsw, sta.pmk, ap.pmk_info. */
const secretParts = [
  'pass',
  'pswd',
  'pwd',
  'apsw',
  'psk',
  'pmk',
  'key',
  'token',
  'secret',
  'cred',
  'priv',
  'bearer',
  'pin-code',
  'verifier',
] as const;

/** Namespaces that hold keys of pairings and networks: NimBLE's bonds, and the data set of OpenThread. */
const secretNamespaces: readonly string[] = ['nimble_bond', 'openthread'];

/** Dots in the place of a secret. Their number says nothing about it. */
export const hiddenText = '•••••••••••';

/** Ends the first line of a private key (RFC 7468, "Textual Encoding of PKCS #8"). */
const pemPrivateKey = asciiBytes('PRIVATE KEY-----');

/**
 * Returns true if a value is likely a password, a token or a private key. Upper and lower case of the key are equal.
 * Such values are shown only on demand and never logged. Errs on the side of hiding.
 *
 * @param values Values that the key has or had. Those that are null are skipped.
 */
export function isSecretKey(namespace: string | null, key: string, ...values: (NvsValue | null)[]): boolean {
  const name = key.toLowerCase();
  return (
    secretParts.some((part) => name.includes(part)) ||
    (namespace !== null && secretNamespaces.includes(namespace)) ||
    values.some((value) => value !== null && 'bytes' in value && indexOfBytes(value.bytes, pemPrivateKey) >= 0)
  );
}
