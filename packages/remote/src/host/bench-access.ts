import type { Lane } from '../frames/tap-records.ts';

/** A port as guests that watch know it. */
export interface SharedPort {
  readonly name: string;
  readonly info: SerialPortInfo;
  /** True: the board is simulated. Omitted: a real board. */
  readonly isSimulated?: boolean;
  /** True: a board is plugged in. */
  readonly present: boolean;
  /** Settings of the host's own session; null while the port is closed. */
  readonly settings: OpenSettings | null;
}

export interface OpenSettings {
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: ParityType;
  readonly flowControl: FlowControlType;
}

/** Identity of a guest. The ID is valid for one visit; the name is the guest's own choice. */
export interface GuestName {
  readonly id: string;
  readonly name: string;
  /** The same for all visits from one browser; null or omitted: unknown. */
  readonly person?: string | null;
}

/** A line that passed a port, for guests that join later. */
export interface EarlierLine {
  readonly lane: Lane;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Grows from line to line over all ports. */
  readonly order: number;
  /** Includes the line ending. */
  readonly bytes: Uint8Array;
  /** True: later bytes continue this line. */
  readonly isOpen: boolean;
  /** Author of a sent line, as text beside it; null for a line of the host. */
  readonly author: string | null;
}

/** Selects the newest lines of a port. */
export interface EarlierLinesWanted {
  /** Maximum number of lines. */
  readonly lines: number;
  /** Maximum bytes of all lines together. */
  readonly bytes: number;
  /** Number of the newest bytes of each lane to leave out. */
  readonly without: Readonly<Record<Lane, number>>;
}

export interface HiddenSending {
  /** Sends through the host's session. Its log and the tap contain the number of bytes only. Rejects as `type` does. */
  send(port: number, bytes: Uint8Array, guest: GuestName): Promise<void>;
  /** Returns the line that stands for hidden bytes which a guest sends to a port that it uses. */
  line(count: number): Uint8Array;
}

export interface BenchAccess {
  /** Makes the host's own session release the port, and resolves with the closed device. Rejects if that fails. */
  acquire(port: number, guest: GuestName): Promise<SerialPort>;
  /**
   * Gives the port back: no guest uses it any more.
   *
   * @param isLost True: the device vanished during the use, and may come back as another one.
   */
  release(port: number, isLost: boolean): void;
  /** Sends bytes through the host's session. Rejects if the session is not connected. */
  type(port: number, bytes: Uint8Array, guest: GuestName): Promise<void>;
  /** Sends keys as they are pressed. Rejects as `type` does. Omitted: keys are sent by `type`. */
  typeKeys?(port: number, keys: Uint8Array, guest: GuestName): Promise<void>;
  /** Sending of bytes that no log may show. Omitted: guests are not offered it. */
  readonly hidden?: HiddenSending;
  /**
   * Returns the newest lines of a port that the host's own console shows, oldest first. Omitted: the bench keeps
   * none.
   */
  earlier?(port: number, wanted: EarlierLinesWanted): readonly EarlierLine[];
  /** Receives the bytes that pass while a guest uses the port, for the host's own page. */
  passed(port: number, lane: 'received' | 'sent', bytes: Uint8Array, time: number): void;
  /** Receives the number of bytes that the port's guest has sent as keys. They are not passed to `passed`. */
  passedKeys?(port: number, count: number): void;
}
