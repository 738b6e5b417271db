/** Status of a bench's ports: small plain data that can be sent from a worker to its page. */
import type { ControlLines, PortSettings } from '@wirebench/port';
import type { PortNumber } from './port-number.ts';
import type { SecretPrompt } from './secret-prompt.ts';

export type PortState = 'disconnected' | 'connecting' | 'connected' | 'disconnecting' | 'reconnecting';

export interface PortStatus {
  readonly state: PortState;
  /** Settings of the last open; null until the port was opened once. */
  readonly settings: PortSettings | null;
  readonly info: SerialPortInfo | null;
  /** True: the device vanished, did not come back in time, and no device was connected since. */
  readonly notBack: boolean;
  /** Control lines as set last; both off while the port is closed. */
  readonly signals: ControlLines;
  /**
   * Time of the last connect, in milliseconds since the Unix epoch; null until the port was open once. A reconnect
   * after the device vanished does not count as a new connect, here and in all counts below.
   */
  readonly connectedAt: number | null;
  /** Bytes since the last connect. */
  readonly received: number;
  readonly sent: number;
  /** Lines received since the last connect. */
  readonly lines: number;
  /** Lines on the timeline that the port received or sent, from any connect. */
  readonly heldLines: number;
  /** Lines of the port that were dropped from the full ring since the last clear. */
  readonly droppedLines: number;
  /** Prompt for a password that the port shows and that nothing was sent to yet; null for none. */
  readonly asks: SecretPrompt | null;
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
  /** Increases with every change of the timeline. A page fetches rows when it has changed. */
  readonly revision: number;
  /** Lines held on the timeline, both directions and notices. */
  readonly lines: number;
  readonly droppedLines: number;
  /** Arrival of the newest line or received byte, in milliseconds since the Unix epoch; null without lines. */
  readonly newestAt: number | null;
}
