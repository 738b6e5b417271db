/** What the bench says about its ports: small, plain, and safe to send between a worker and its page. */
import type { ControlLines } from './port/control-lines.ts';
import type { PortNumber, PortSettings } from './port-settings.ts';

export type PortState = 'disconnected' | 'connecting' | 'connected' | 'disconnecting' | 'reconnecting';

export interface PortStatus {
  readonly state: PortState;
  /** What the port was opened with; null while it has never been opened. */
  readonly settings: PortSettings | null;
  readonly info: SerialPortInfo | null;
  /** The device vanished, was waited for in vain, and nothing was connected since. */
  readonly notBack: boolean;
  /** The control lines as they were last set; both off while the port is closed. */
  readonly signals: ControlLines;
  /**
   * Time of the last connect, in milliseconds since the Unix epoch; null while it has never been open. That a device which
   * vanished came back is the same connect, here and in all that is counted since.
   */
  readonly connectedAt: number | null;
  /** Bytes since the last connect. */
  readonly received: number;
  readonly sent: number;
  /** Lines received since the last connect. */
  readonly lines: number;
  /** Lines on the timeline that the port received or sent, from whichever connect. */
  readonly heldLines: number;
  /** Lines of the port that had to leave the full ring since it was last cleared. */
  readonly droppedLines: number;
  /** Line errors that the driver reported since the last connect. */
  readonly errors: {
    readonly framing: number;
    readonly parity: number;
    readonly overrun: number;
    readonly break: number;
  };
}

export interface BenchStatus {
  readonly ports: Readonly<Record<PortNumber, PortStatus>>;
  /** Grows with every change of the timeline, so that a page knows that there is something to pull. */
  readonly revision: number;
  /** Lines held on the timeline, both directions and notices. */
  readonly lines: number;
  readonly droppedLines: number;
  /** Time of arrival of the newest line, in milliseconds since the Unix epoch; null while there is none. */
  readonly newestAt: number | null;
}
