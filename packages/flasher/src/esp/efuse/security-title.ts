/** Says in one line how a board protects itself, from what it reports on connecting. */
import type { EspSecurityState } from '../esp-info.ts';

/** Returns for example `Secure boot is on, flash is encrypted`; null if the board does not say. */
export function securityTitle({ secureBoot, flashEncryption, secureDownload }: EspSecurityState): string | null {
  const parts = [
    ...(secureBoot ? ['secure boot is on'] : []),
    ...(flashEncryption ? ['flash is encrypted'] : []),
    ...(secureDownload ? ['written by cable, not read'] : []),
  ];
  if (parts.length === 0) {
    return secureBoot === null || flashEncryption === null ? null : 'Open: anyone with a cable can read and write';
  }
  const text = parts.join(', ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
