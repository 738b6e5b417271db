/** File transfer by XMODEM, YMODEM and ZMODEM over any link of bytes. */
export { crc32 } from './crc.ts';
export { RequestDetector, type TransferRequest } from './request-detector.ts';
export { receiveFiles, sendFiles } from './run-transfer.ts';
export { type HeldPort, SessionLink } from './session-link.ts';
export type { TransferOutcome } from './transfer-end.ts';
export { endNotice, startNotice, type Transfer } from './transfer-notices.ts';
export {
  type FileOffer,
  type FileStore,
  type IncomingFile,
  protocolNames,
  type TransferOptions,
  type TransferProgress,
  type TransferProtocol,
  type TransferReport,
} from './transfer-types.ts';
