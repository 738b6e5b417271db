/** A board in its boot ROM, with nothing loaded and no flash touched: for those who use the ROM's register commands. */
export { EspError, type EspFailure, espFailureText } from '../esp-failure.ts';
export type { EspLink } from '../esp-info.ts';
