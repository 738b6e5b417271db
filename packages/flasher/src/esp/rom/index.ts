/**
 * A board in its boot ROM, with nothing loaded and the flash untouched. For clients of the ROM's register commands,
 * or of a program with the same commands.
 */
export { encodeFrame } from '../../slip.ts';
export { inTime } from '../../time-limit.ts';
export { readBootLog } from '../connect/boot-log.ts';
export { readEspBoot } from '../connect/boot-verdict.ts';
export { identify, magicAddress } from '../connect/identify.ts';
export { openRom, type RomBoard } from '../connect/open-rom.ts';
export type { SessionOptions } from '../connect/open-session.ts';
export type { AnsweringProgram } from '../connect/session.ts';
export type { EspConnectStep } from '../esp-board.ts';
export { asEspError, EspError, type EspFailure, espFailureText } from '../esp-failure.ts';
export type { EspInfo } from '../esp-info.ts';
export type { Answer } from '../protocol/answers.ts';
export type { CommandLink } from '../protocol/command-link.ts';
export {
  memBeginRequest,
  memDataRequest,
  memEndRequest,
  type Request,
  readRegRequest,
  writeRegsRequest,
} from '../protocol/commands.ts';
export { registersOf } from '../protocol/registers.ts';
