/** eFuses and security as the last entry of *On the board*. */
import { securityTitle } from '@wirebench/flasher/esp';
import { Lock, LockOpen } from 'lucide-react';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import type { ExtraEntry } from '../partition-view.ts';

export const securityEntry: ExtraEntry = {
  name: 'eFuses and security',
  icon: (board) => (isOpen(board) ? <LockOpen /> : <Lock />),
  describe: ({ info }) => securityTitle(info.security),
  load: async () => (await import('./security-view.tsx')).SecurityView,
};

function isOpen({ info: { security } }: EspFacts): boolean {
  return security.secureBoot !== true && security.flashEncryption !== true && !security.secureDownload;
}
