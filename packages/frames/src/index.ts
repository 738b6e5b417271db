/** Decoders at work: cutting, decoding, and what belongs together. */

export { compileQuery } from './compare-fields.ts';
export { type Comparison, parseQuery } from './comparison.ts';
export { compile } from './compile.ts';
export { labelOf, valueText } from './frame-text.ts';
export type {
  Conversation,
  DecodedField,
  DecodedFrame,
  FieldValue,
  FrameCutter,
  FrameLink,
  FrameReader,
  Piece,
  PieceKind,
} from './frame-types.ts';
export { Overview, type OverviewDevice, type OverviewRow, type OverviewTotals } from './overview.ts';
export { pcapngFrame, pcapngStart } from './pcapng.ts';
export { importRegisters } from './steps/modbus/register-import.ts';
export { DecoderError } from './steps/step-files.ts';
