/** Decoders, the content of JKits of type `decoder`: schema, limits and check. `@wirebench/frames` applies them. */
export { checkDecoder } from './check-decoder.ts';
export type {
  DecoderChecksum,
  DecoderCondition,
  DecoderContent,
  DecoderDraft,
  DecoderField,
  DecoderFieldOrGroup,
  DecoderFraming,
  DecoderMessage,
  DecoderPower,
  DecoderRegister,
  DecoderShape,
  DecoderSize,
  DecoderTransform,
} from './decoder-content.ts';
export {
  type ByteOrder,
  byteOrders,
  type ChecksumKind,
  checksumSizes,
  type DecoderFileUse,
  type DecoderStep,
  decoderLimits,
  type NumberType,
  numberSizes,
  type RegisterTable,
  registerTables,
  registerTypes,
  type SizedType,
  sizedTypes,
} from './decoder-rules.ts';
