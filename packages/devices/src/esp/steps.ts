/** Maps commands to steps of the protocol. */
import type { EspStep } from './faults.ts';
import { op } from './loader/request.ts';

const stepsByOp: ReadonlyMap<number, EspStep> = new Map([
  [op.sync, 'sync'],
  [op.securityInfo, 'security-info'],
  [op.readReg, 'read-reg'],
  [op.writeReg, 'write-reg'],
  [op.memBegin, 'mem-begin'],
  [op.memData, 'mem-data'],
  [op.memEnd, 'mem-end'],
  [op.changeBaud, 'change-baud'],
  [op.spiAttach, 'spi-attach'],
  [op.spiSetParams, 'spi-set-params'],
  [op.flashBegin, 'flash-begin'],
  [op.deflateBegin, 'flash-begin'],
  [op.flashData, 'flash-data'],
  [op.deflateData, 'flash-data'],
  [op.encryptedData, 'flash-data'],
  [op.flashEnd, 'flash-end'],
  [op.deflateEnd, 'flash-end'],
  [op.md5, 'md5'],
  [op.readFlash, 'read-flash'],
  [op.readFlashSlow, 'read-flash'],
  [op.eraseRegion, 'erase-region'],
  [op.eraseFlash, 'erase-flash'],
]);

/** Returns null for commands at which no fault can occur. */
export function stepOf(opcode: number): EspStep | null {
  return stepsByOp.get(opcode) ?? null;
}
