/** File transfer by XMODEM, YMODEM and ZMODEM over any link of bytes. */
export { crc32 } from './crc.ts';
export { RequestDetector, type TransferRequest } from './request-detector.ts';
export { receiveFiles, sendFiles } from './run-transfer.ts';
export { type HeldPort, SessionLink } from './session-link.ts';
export type { TransferOutcome } from './transfer-end.ts';
export { endNotice, protocolNames, startNotice, type Transfer } from './transfer-notices.ts';
export type {
  FileOffer,
  FileStore,
  IncomingFile,
  TransferOptions,
  TransferProgress,
  TransferProtocol,
  TransferReport,
} from './transfer-types.ts';
