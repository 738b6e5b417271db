/** Parts that a transfer needs beside the bench. Loaded with the first transfer. */
export { receiveFiles, sendFiles } from '@wirebench/serial/transfer';
export { PartialFiles, receivedFiles } from './received-files.ts';
export { SessionLink } from './session-link.ts';
export { endNotice, startNotice } from './transfer-notices.ts';
