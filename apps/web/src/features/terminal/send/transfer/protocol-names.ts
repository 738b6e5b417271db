import type { TransferProtocol } from '@wirebench/serial/transfer';

export const protocolNames = {
  xmodem: 'XMODEM',
  'xmodem-1k': 'XMODEM-1K',
  ymodem: 'YMODEM',
  zmodem: 'ZMODEM',
} as const satisfies Record<TransferProtocol, string>;

/** A receiver takes blocks of both sizes, so there is one XMODEM to receive by. */
export const receiveProtocols = ['zmodem', 'ymodem', 'xmodem'] as const satisfies readonly TransferProtocol[];
