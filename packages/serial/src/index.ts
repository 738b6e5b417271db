/**
 * Everything between a `SerialPort` and a console: sessions, the line store, search, what is typed and what is exported.
 * Knows no document, no React, no worker and no real time: a port, a clock and bytes are given to it.
 */
export type { AnswerOutcome, Expectation } from './answer-watch.ts';
export { Bench, type BenchOptions, type RowView } from './bench.ts';
export { defaultRingBytes, maximumRingBytes, minimumRingBytes } from './bench-channels.ts';
export type { BenchStatus, PortState, PortStatus } from './bench-status.ts';
export { type ChannelName, channelNames } from './channel-name.ts';
export type { SignalChange } from './control-lines.ts';
export type { RowKey, RowRange } from './copy-rows.ts';
export { type EncodedEscapes, type EscapeFailure, encodeEscaped, escapeBytes, escapeFailureText } from './escapes.ts';
export { exportFileName } from './export-file-name.ts';
export type { Span } from './expression/spans.ts';
export {
  type FilterFailure,
  type FilterField,
  type FilterFieldOptions,
  type FilterToken,
  filterFailureText,
  parseFilterField,
} from './filter-field.ts';
export { defaultFraming, type Framing, longestIdleGap, shortestIdleGap } from './framing.ts';
export { type BaudReason, baudReasonText } from './jobs/baud-score.ts';
export { type BaudCandidate, type BaudFinding, usualBaudRates } from './jobs/find-baud-rate.ts';
export type { FindBaudOptions, PortJobs, RepeatOptions, SendFileOptions } from './jobs/port-jobs.ts';
export { longestRepeat, type RepeatReport, shortestRepeat } from './jobs/repeat-message.ts';
export type { ResetMode } from './jobs/reset-board.ts';
export {
  type FileSource,
  fileSource,
  type SendOutcome,
  type SendProgress,
  type SendReport,
} from './jobs/send-file.ts';
export type { SendPace } from './jobs/send-pace.ts';
export { type FedLine, LineFeed, type LineSlice } from './line-feed.ts';
export {
  type LineQuery,
  type LineScope,
  type LineTerm,
  type SearchQuery,
  SearchQueryError,
  type SearchTerm,
} from './line-query.ts';
export { type LineTextOptions, lineText, withoutColours } from './line-text.ts';
export { hexText, type TextExportOptions } from './log-lines.ts';
export type { Marker } from './marks.ts';
export type { NumberFormat } from './plot/number-line.ts';
export { defaultPoints, mostSeries, type Plot, type PlotOptions, type PlotSeries } from './plot/plot.ts';
export { type PlotWindow, type PlotWindowQuery, silence } from './plot/plot-window.ts';
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
export { type Hit, LineSearch } from './search.ts';
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
export { type DirectionStatistics, type ErrorHint, errorHintText, type PortStatistics } from './statistics.ts';
export {
  maxRowBytes,
  type NoticeLevel,
  type Row,
  type RowAnchor,
  type RowLayout,
  type RowPage,
  type RowQuery,
} from './timeline-rows.ts';
export { type Lane, laneBin, laneBins } from './traffic-meter.ts';
