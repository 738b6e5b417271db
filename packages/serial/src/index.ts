/**
 * Everything between a `SerialPort` and a console: sessions, the line store, search, what is typed and what is exported.
 * Knows no document, no React, no worker and no real time: a port, a clock and bytes are given to it.
 */
export type { AnswerOutcome, Expectation } from './answer-watch.ts';
export { Bench, type BenchOptions } from './bench.ts';
export { defaultRingBytes, maximumRingBytes, minimumRingBytes } from './bench-channels.ts';
export type { BenchStatus, PortState, PortStatus } from './bench-status.ts';
export { type ChannelName, channelNames } from './channel-name.ts';
export type { SignalChange } from './control-lines.ts';
export { exportFileName } from './export-file-name.ts';
export { type SearchQuery, SearchQueryError } from './line-matcher.ts';
export { type LineTextOptions, lineText, withoutColours } from './line-text.ts';
export { hexText, type TextExportOptions } from './log-lines.ts';
export {
  baudRates,
  defaultPortSettings,
  describePortSettings,
  type PortNumber,
  type PortSettings,
  portNumbers,
  wireTime,
} from './port-settings.ts';
export { reconnectPeriod } from './reconnect-wait.ts';
export { LineSearch } from './search.ts';
export {
  type EncodedInput,
  encodeInput,
  encodePinned,
  type InputFailure,
  type InputMode,
  inputFailureText,
  type LineEnding,
  lineEndingBytes,
  maxInputLength,
} from './send-input.ts';
export { SessionError, type SessionFailure, sessionFailureText } from './session-failure.ts';
export {
  maxRowBytes,
  type NoticeLevel,
  type Row,
  type RowAnchor,
  type RowLayout,
  type RowPage,
  type RowQuery,
} from './timeline-rows.ts';
