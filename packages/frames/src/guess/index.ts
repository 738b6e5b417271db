/** Guesses about bytes that no decoder knows: framings, checksums, and what a decoder would make of them. */

export { numbersInAllOrders, type OrderedNumber } from '../steps/modbus/registers.ts';
export { type ChecksumFinding, type ChecksumSearch, findChecksums } from './find-checksums.ts';
export {
  countFraming,
  type FramingChoice,
  type FramingDraft,
  type FramingGuess,
  framingChoices,
  guessFramings,
  tailOf,
} from './guess-framings.ts';
export {
  type Trial,
  type TrialChunk,
  type TrialCounts,
  type TrialFrame,
  tryDecoder,
  type WantedFrame,
} from './try-decoder.ts';
