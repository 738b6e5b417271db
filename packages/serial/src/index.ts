/**
 * The console of up to four ports: sessions, the line store, search, input and exports. Ports, clock and bytes are
 * passed in, so the package runs in a page, in a worker and in Node.
 */
export { Bench, hiddenLine, type RowView } from './bench.ts';
export type { BenchStatus, PortState, PortStatus } from './bench-status.ts';
export type { ByteFeed } from './byte-feed.ts';
export type { BytePattern } from './byte-pattern.ts';
export { channelNames } from './channel-name.ts';
export type { AnswerPattern } from './conversation/answer-race.ts';
export { AnswerWatch } from './conversation/answer-watch.ts';
export type { Conversation, Exchange, ExchangeOutcome } from './conversation/conversation.ts';
export type { ConversationLog, LogEntry } from './conversation/conversation-log.ts';
export {
  expressionFault,
  groupNamesOf,
  parseExpressionLiteral,
} from './conversation/expression-literal.ts';
export type { RowRange } from './copy-rows.ts';
export { type EnterSigns, EnterWatch, enterAnswerTime } from './enter-watch.ts';
export { encodeEscaped, escapeBytes, unescapeText } from './escapes.ts';
export { exportFileName } from './export-file-name.ts';
export { joinWords, parseFilterField, partWords } from './filter-field.ts';
export type { LineFold } from './folded-lines.ts';
export { seriesOfField } from './frames/frame-line-reader.ts';
export { timingOfFrame, type WordsOfFrame, wordsOfFrame } from './frames/frame-words.ts';
export type { FramedLine } from './framing/channel-decoder.ts';
export {
  type AnyFraming,
  type BytesField,
  type FramingField,
  type FramingOption,
  optionFailure,
} from './framing/framing-definition.ts';
export {
  defaultFraming,
  type Framing,
  framingNamed,
  framingNames,
  framings,
  framingWith,
  showsDecoded,
} from './framing/framings.ts';
export { longestGap, shortestGap } from './framing/gap.ts';
export { frameFaultText } from './framing/splitter.ts';
export { type TypedBytes, typedAs } from './framing/typed-bytes.ts';
export { parseHexInput } from './hex-input.ts';
export { hexText } from './hex-text.ts';
export { baudReasonText } from './jobs/baud-score.ts';
export type { BaudCandidate, BaudFinding } from './jobs/find-baud-rate.ts';
export { type RateSign, rateSignText } from './jobs/rate-sign.ts';
export { RateWatch } from './jobs/rate-watch.ts';
export { longestRepeat, type RepeatReport, shortestRepeat } from './jobs/repeat-message.ts';
export type { ResetMode } from './jobs/reset-board.ts';
export {
  fileSource,
  type SendReport,
} from './jobs/send-file.ts';
export type { SendPace } from './jobs/send-pace.ts';
export { LineFeed, type LineSlice } from './line-feed.ts';
export type {
  LineQuery,
  LineScope,
  LineTerm,
  SearchQuery,
} from './line-query.ts';
export { lineText, withoutColours } from './line-text.ts';
export type { LogFeed } from './log-feed.ts';
export { logPrefix } from './log-prefix.ts';
export { PacedSender } from './paced-sender.ts';
export { unitInName } from './plot/line-reader.ts';
export type { NumberFormat } from './plot/number-line.ts';
export type { Plot, PlotSeries } from './plot/plot.ts';
export { maxSeries } from './plot/plot.ts';
export type { PlotCursor, PlotCursorQuery } from './plot/plot-cursor.ts';
export { curveBreak, type EdgePoint, type PlotWindow } from './plot/plot-window.ts';
export { isRestartLine } from './plot/restart-line.ts';
export type { XyPlane, XyQuery } from './plot/xy-plane.ts';
export { type ByPort, byPort, type PortNumber, portNumbers } from './port-number.ts';
export type { Hiding, PortHold, SendWay } from './port-session.ts';
export { ProgramWatch } from './program-watch.ts';
export type { SendProgress } from './progress-meter.ts';
export { promptIn } from './prompt-wait.ts';
export { reconnectPeriod } from './reconnect-wait.ts';
export { AnswerGuard, loopText } from './rules/answer-guard.ts';
export {
  acts,
  newRule,
  noActions,
  type Rule,
  type RuleActions,
  type RuleAnswer,
  type RuleColour,
  type RuleCondition,
  type RuleMust,
  ruleColours,
  ruleLimits,
} from './rules/rule.ts';
export { answerFault, conditionFault, readRule, writeRule } from './rules/rule-record.ts';
export type { RuleHit, RuleLook, RuleWatch, WatchedRule } from './rules/rule-watch.ts';
export { type Hit, LineSearch } from './search.ts';
export type { AskedSecret } from './secret-prompt.ts';
export {
  type EncodedInput,
  encodeInput,
  encodePinned,
  type InputFailure,
  type InputMode,
  inputFailureText,
  type LineEnding,
  maxInputLength,
  pieceLimits,
  type SendPieces,
  tidyHex,
} from './send-input.ts';
export type { QueueProgress } from './send-queue.ts';
export { SessionError, type SessionFailure, sessionError, sessionFailureText } from './session-failure.ts';
export { errorHintText, type PortStatistics } from './statistics.ts';
export { type ShownReturns, TerminalFilter } from './terminal-filter.ts';
export { spansIn, textPattern } from './text-pattern.ts';
export { epochText, localStamp } from './time-stamp.ts';
export type { ChannelFolds } from './timeline.ts';
export type {
  NoticeKind,
  NoticeLevel,
  Row,
  RowLayout,
  RowQuery,
} from './timeline-rows.ts';
