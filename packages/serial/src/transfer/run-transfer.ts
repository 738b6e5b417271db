/** Sends and receives files by any of the protocols. */
import { receiveXmodem, receiveYmodem } from './receive-blocks.ts';
import { sendXmodem, sendYmodem } from './send-blocks.ts';
import { TransferSession } from './transfer-session.ts';
import type { FileStore, OutgoingFile, TransferOptions, TransferProtocol, TransferReport } from './transfer-types.ts';
import { receiveZmodem } from './zmodem/receive-zmodem.ts';
import { sendZmodem } from './zmodem/send-zmodem.ts';

export interface SendOptions extends TransferOptions {
  /** ZMODEM only. True: the receiver continues a file that it has a part of. Default: false. */
  readonly resume?: boolean;
}

export interface ReceiveOptions extends TransferOptions {
  /** Name for a file that comes by XMODEM, which sends none. Default: `received.bin`. */
  readonly name?: string;
}

/**
 * Sends files. Resolves with a report, however the transfer ends.
 *
 * @param files At least one; exactly one for XMODEM.
 * @throws RangeError for a number of files that the protocol cannot send.
 */
export async function sendFiles(
  protocol: TransferProtocol,
  files: readonly OutgoingFile[],
  options: SendOptions,
): Promise<TransferReport> {
  const [first] = files;
  const isXmodem = protocol === 'xmodem' || protocol === 'xmodem-1k';
  if (first === undefined || (isXmodem && files.length > 1)) {
    throw new RangeError('At least one file is sent, and by XMODEM no more than one');
  }
  const session = new TransferSession(options);
  return session.run(() => {
    switch (protocol) {
      case 'xmodem':
      case 'xmodem-1k':
        return sendXmodem(session, first, protocol === 'xmodem-1k');
      case 'ymodem':
        return sendYmodem(session, files);
      case 'zmodem':
        return sendZmodem(session, files, { resume: options.resume ?? false });
    }
  });
}

/** Receives files into `store`. Resolves with a report, however the transfer ends. */
export async function receiveFiles(
  protocol: TransferProtocol,
  store: FileStore,
  options: ReceiveOptions,
): Promise<TransferReport> {
  const session = new TransferSession(options);
  return session.run(() => {
    switch (protocol) {
      case 'xmodem':
      case 'xmodem-1k':
        return receiveXmodem(session, store, options.name ?? 'received.bin');
      case 'ymodem':
        return receiveYmodem(session, store);
      case 'zmodem':
        return receiveZmodem(session, store);
    }
  });
}
