/** Checks the name and the password of a network before they are sent. */
import { networkLimits } from '@wirebench/serial/improv';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** Returns why no network has this name; null for a name. */
export function nameFault(name: string): string | null {
  if (name === '') {
    return 'Enter the name of the network.';
  }
  return utf8(name).length > networkLimits.name ? 'The name of a network has at most 32 bytes.' : null;
}

/**
 * Returns why no network has this password; null for a password.
 *
 * @param isNeeded False: the network may be open.
 */
export function passwordFault(password: string, isNeeded: boolean): string | null {
  if (password === '') {
    return isNeeded ? 'Enter the password of the network.' : null;
  }
  const { length } = utf8(password);
  if (length < networkLimits.shortestPassword) {
    return 'A Wi-Fi password has at least 8 characters, and 5 in old networks (WEP).';
  }
  return length > networkLimits.password ? 'A Wi-Fi password has at most 64 characters.' : null;
}
