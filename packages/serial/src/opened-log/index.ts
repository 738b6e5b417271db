/** Logs in files: what a file is, and its lines with times and directions. */

export { findInLog } from './find-in-log.ts';
export { FramedLog, type LoggedFrame } from './framed-log.ts';
export { isHexLog } from './hex-log.ts';
export { daysBefore } from './log-clock.ts';
export { type LogEncoding, logEncodings } from './log-encoding.ts';
export { type LogProgramName, logProgramNames, logPrograms } from './log-programs.ts';
export { type LogSource, LogStream, lineFrom } from './log-stream.ts';
export {
  guessTime,
  markedForms,
  markedTimes,
  markRefusals,
  withoutColours,
} from './marked-form.ts';
export type { MarkedRange } from './marked-parts.ts';
export { byTime, inTurn } from './merged-logs.ts';
export {
  HEAD_BYTES,
  hasClock,
  hasTimes,
  headText,
  isRawForm,
  type LogVerdict,
  type RecognisedLog,
  recogniseLog,
  TAIL_BYTES,
  verdictIn,
} from './recognise-log.ts';
