/** eFuses and security as the last entry of *On the board*. */
import { Lock, LockOpen } from 'lucide-react';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import type { ExtraEntry } from '../partition-view.ts';

export const securityEntry: ExtraEntry = {
  name: 'eFuses and security',
  icon: (board) => (isOpen(board) ? <LockOpen /> : <Lock />),
  describe: ({ info: { security } }) => {
    const { secureBoot, flashEncryption, secureDownload } = security;
    const parts = [
      ...(secureBoot ? ['secure boot is on'] : []),
      ...(flashEncryption ? ['flash is encrypted'] : []),
      ...(secureDownload ? ['written by cable, not read'] : []),
    ];
    if (parts.length > 0) {
      const text = parts.join(', ');
      return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
    }
    return secureBoot === null || flashEncryption === null ? null : 'Open: anyone with a cable can read and write';
  },
  load: async () => (await import('./security-view.tsx')).SecurityView,
};

function isOpen({ info: { security } }: EspFacts): boolean {
  return security.secureBoot !== true && security.flashEncryption !== true && !security.secureDownload;
}
