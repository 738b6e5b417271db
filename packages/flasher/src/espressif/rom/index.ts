/** A board in its boot ROM, with nothing loaded and no flash touched: for those who use the ROM's register commands. */
export { encodeFrame } from '../../slip.ts';
export { memBeginRequest, memDataRequest, memEndRequest, type Request } from '../protocol/commands.ts';
