/** Decoders at work: cutting, decoding, and what belongs together. */

export { loadBuiltInFile } from './built-in-files.ts';
export {
  type Comparison,
  compileQuery,
  type FrameQuery,
  namesOfFrame,
  parseQuery,
} from './comparison.ts';
export { compile, type FramePort, isMadeFor } from './compile.ts';
export { valueText } from './frame-text.ts';
export type {
  Conversation,
  DecodedField,
  DecodedFrame,
  Direction,
  FieldValue,
  FrameCutter,
  FrameLink,
  FrameReader,
  FrameSettings,
  Piece,
  PieceKind,
} from './frame-types.ts';
export { Overview, type OverviewDevice, type OverviewRow } from './overview.ts';
export { type CapturedFrame, pcapngFrame, pcapngStart } from './pcapng.ts';
export { importRegisters, type RegisterImport } from './steps/modbus/register-import.ts';
export { numbersInAllOrders, type OrderedNumber } from './steps/modbus/registers.ts';
