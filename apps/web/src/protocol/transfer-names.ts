/** Names of the transfer protocols, on the screen and in the log. */
import type { TransferProtocol } from '@wirebench/serial/transfer';

export const protocolNames = {
  xmodem: 'XMODEM',
  'xmodem-1k': 'XMODEM-1K',
  ymodem: 'YMODEM',
  zmodem: 'ZMODEM',
} as const satisfies Record<TransferProtocol, string>;
