/** Recognises keys whose values are secret, by their names. */

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
] as const;

/**
 * Returns true if a key's name suggests a password, a token or a private key. Upper and lower case are equal. Values
 * of such keys are shown only on demand and never logged. Errs on the side of hiding.
 */
export function isSecretKey(key: string): boolean {
  const name = key.toLowerCase();
  return secretParts.some((part) => name.includes(part));
}
