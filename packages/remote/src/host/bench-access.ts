/** What a host needs of the bench that it shares. */
import type { Lane } from '../frames/tap-records.ts';

/** A port as those who watch it know it. */
export interface SharedPort {
  readonly name: string;
  readonly info: SerialPortInfo;
  /** The board is simulated. Left out: it is a real one. */
  readonly isSimulated?: boolean;
  /** A board is plugged in. */
  readonly present: boolean;
  /** How the host's own session has it open; null while it is closed. */
  readonly settings: OpenSettings | null;
}

export interface OpenSettings {
  readonly baudRate: number;
  readonly dataBits: 7 | 8;
  readonly stopBits: 1 | 2;
  readonly parity: ParityType;
  readonly flowControl: FlowControlType;
}

/** Who asks: the id holds for a visit, the name is what the guest calls itself. */
export interface GuestName {
  readonly id: string;
  readonly name: string;
  /** The same for visits from one browser; null or left out: not known. */
  readonly person?: string | null;
}

/** A line that passed a port, for guests that come later. */
export interface EarlierLine {
  readonly lane: Lane;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Grows from line to line over all ports. */
  readonly order: number;
  /** The line ending included. */
  readonly bytes: Uint8Array;
  /** True: what passes next goes on in this line. */
  readonly isOpen: boolean;
  /** Words beside a sent line that say whose it is; null for a line of the host. */
  readonly author: string | null;
}

/** Which lines are wanted of a port: the newest ones. */
export interface EarlierLinesWanted {
  /** Most lines. */
  readonly lines: number;
  /** Most bytes of all lines together. */
  readonly bytes: number;
  /** Newest bytes of each lane that are left out. */
  readonly without: Readonly<Record<Lane, number>>;
}

export interface BenchAccess {
  /** The host's own session lets go of the port. Gives the device, closed. Rejects when it cannot. */
  acquire(port: number, guest: GuestName): Promise<SerialPort>;
  /** No guest uses it any more. @param isLost the device vanished meanwhile: it may come back as another one. */
  release(port: number, isLost: boolean): void;
  /** Sends through the host's session. Rejects when that is not connected. */
  type(port: number, bytes: Uint8Array, guest: GuestName): Promise<void>;
  /** Returns the newest lines that the host's own console shows of a port, the oldest first. Left out: the bench keeps none. */
  earlier?(port: number, wanted: EarlierLinesWanted): readonly EarlierLine[];
  /** Bytes that passed while a guest uses the port, for the host's own page. */
  passed(port: number, lane: 'received' | 'sent', bytes: Uint8Array, time: number): void;
}
