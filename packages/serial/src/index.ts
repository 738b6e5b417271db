/**
 * Everything between a `SerialPort` and a console: sessions, the line store, search, what is typed and what is exported.
 * Knows no document, no React, no worker and no real time: a port, a clock and bytes are given to it.
 */
export type { BenchStatus, PortState, PortStatus } from './bench-status.ts';
export {
  baudRates,
  defaultPortSettings,
  describePortSettings,
  type PortNumber,
  type PortSettings,
  portNumbers,
  wireTime,
} from './port-settings.ts';
export {
  maxRowBytes,
  type NoticeLevel,
  type Row,
  type RowAnchor,
  type RowLayout,
  type RowPage,
  type RowQuery,
} from './timeline-rows.ts';
