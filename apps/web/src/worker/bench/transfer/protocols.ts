/** Parts that a transfer needs beside the bench. Loaded with the first transfer. */
import { receiveFiles, sendFiles } from '@wirebench/serial/transfer';
import { PartialFiles, receivedFiles } from './received-files.ts';
import { SessionLink } from './session-link.ts';
import { endNotice, startNotice } from './transfer-notices.ts';

export const protocols = {
  receiveFiles,
  sendFiles,
  PartialFiles,
  receivedFiles,
  SessionLink,
  endNotice,
  startNotice,
} as const;
