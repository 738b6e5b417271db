/** The four ports: their devices, their lines, and what is known of them. */

import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import type { PortSettings, SignalChange } from '@wirebench/port';
import type { Right } from '@wirebench/remote';
import {
  type BenchStatus,
  type ByPort,
  byPort,
  type EnterSigns,
  type Framing,
  type PortNumber,
  type PortStatistics,
  type PortStatus,
  type RateSign,
  type ResetMode,
} from '@wirebench/serial';
import type { DemoModel } from '../../hardware/demo-device.ts';
import type { PortPlace } from '../../hardware/permitted-ports.ts';
import { type BenchPart, fact, portFact } from './fact.ts';

/**
 * Device behind a port: a board by its place in the browser's list, a simulated one, or the previous device, found
 * again after it was replugged.
 */
export type PortSource =
  | { readonly kind: 'serial'; readonly place: PortPlace }
  | { readonly kind: 'demo'; readonly model?: DemoModel }
  /** A port of another user's shared bench, by its number on that bench. */
  | { readonly kind: 'remote'; readonly port: number }
  | { readonly kind: 'same' };

/** Error name for a place from an older list. A retry with a new place may succeed. */
export const outdatedPlace = 'PlaceOutdatedError';

/** Error name for a board that has no port since its restart. */
export const withoutPort = 'BoardWithoutPortError';

export type PortNames = ByPort<string>;

export interface DeviceFacts {
  /**
   * `usb`: a device that the flasher works on, without a console. `remote`: a port of another user's shared bench. `log`:
   * no device, but an opened log.
   */
  readonly kind: 'serial' | 'demo' | 'usb' | 'remote' | 'log';
  /**
   * True: the demo device or the remote board is plugged in. Always true for a local board, whose plug is not
   * visible.
   */
  readonly plugged: boolean;
  /** True: a simulated line with several devices, which is no board. */
  readonly isLine?: boolean;
  /** True: work waits for the board, which a person has to choose again on a phone. */
  readonly isAwaited?: boolean;
  /** Right to a remote port; null if it is not shared, or is not remote. */
  readonly right?: Right | null;
  /** Side whose connection to the shared bench is lost: this page or the host. Null while both are connected. */
  readonly away?: 'guest' | 'host' | null;
  /** True: the host reports that the board of a remote port is simulated. */
  readonly isSimulated?: boolean;
  /** True: the host of a remote port keeps hidden input out of every log. */
  readonly canHide?: boolean;
  /** Name of another guest of the shared bench that uses the remote port; null for none. */
  readonly user?: string | null;
}

/** Frames that a port receives since it was connected. */
export interface ReceivedFrames {
  readonly decoder: ReadyDecoder;
  /** Number of frames with a right checksum or end. */
  readonly right: number;
  /** Number of frames that have the form of one, but not its checksum or end. */
  readonly broken: number;
  /** Arrival of the first byte, in milliseconds since the Unix epoch. */
  readonly since: number;
}

/** Signs in a port's traffic that its settings may be wrong, or that it should be shown in another way. */
export interface PortAdvice extends EnterSigns {
  /** Null: the received bytes are text, or there are too few. */
  readonly rate: RateSign | null;
  /** Frames that the received bytes are; null: none that are known. */
  readonly frames: ReceivedFrames | null;
  /** True: a full-screen program draws on the port. */
  readonly isProgram: boolean;
  /** True: nothing was received for `silentAfter` since it was connected. */
  readonly isSilent: boolean;
}

/** Calls for a port and its device. */
export interface PortCalls {
  connect(port: PortNumber, source: PortSource, settings: PortSettings): void;
  /** Closes the port and opens the same device again with other settings. */
  reopen(port: PortNumber, settings: PortSettings): void;
  disconnect(port: PortNumber): void;
  cancelReconnect(port: PortNumber): void;
  /** Sets whether the session waits for a board that disappears. False also ends a current wait. */
  setReconnect(port: PortNumber, enabled: boolean): void;
  setSignals(port: PortNumber, change: SignalChange): void;
  /**
   * Resets the board by its control lines, and restores their levels afterwards. Resolves after that, with the number of
   * the first log line that begins after the reset.
   */
  resetBoard(port: PortNumber, mode: ResetMode): number;
  /** Holds the transmit line low for 250 ms. */
  sendBreak(port: PortNumber): void;
  /** Sets the end of received lines from now on. */
  setFraming(port: PortNumber, framing: Framing): void;
  statistics(port: PortNumber): PortStatistics;
  /** Unplugs or plugs in a demo device. */
  plugDemo(port: PortNumber, plugged: boolean): void;
}

/** Milliseconds after connecting from which a port that has received nothing counts as silent. */
export const silentAfter = 10_000;

const closedPort: PortStatus = {
  state: 'disconnected',
  settings: null,
  info: null,
  notBack: false,
  signals: { dtr: false, rts: false },
  connectedAt: null,
  received: 0,
  sent: 0,
  lines: 0,
  heldLines: 0,
  droppedLines: 0,
  asks: null,
  errors: { framing: 0, parity: 0, overrun: 0, break: 0 },
};

/** Returns the status of a bench that is lost: its ports are closed. Its counters stay. */
export const lostStatus = (status: BenchStatus): BenchStatus => ({
  ...status,
  ports: byPort((port) => ({
    ...status.ports[port],
    state: 'disconnected',
    notBack: false,
    signals: closedPort.signals,
  })),
});

export const noAdvice: PortAdvice = {
  isPython: false,
  expected: null,
  isModem: false,
  sent: null,
  rate: null,
  frames: null,
  isProgram: false,
  isSilent: false,
};

export const portPart = {
  quiet: ['statistics', 'setFraming', 'setReconnect'],
  facts: {
    status: fact<BenchStatus>(
      { ports: byPort(() => closedPort), revision: 0, lines: 0, droppedLines: 0, newestAt: null },
      ['received', 'sent', 'lines', 'heldLines', 'droppedLines', 'errors', 'revision', 'newestAt'],
    ),
    /** Names of the guests of the shared bench that use a port now; null for the bench itself, or for no user. */
    users: portFact<string | null>(null),
    /** Names of the other people of the shared bench that type key by key now; null for none. */
    typists: portFact<string | null>(null),
    devices: portFact<DeviceFacts | null>(null),
    advice: portFact(noAdvice),
  },
} satisfies BenchPart<PortCalls>;
