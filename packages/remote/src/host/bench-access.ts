/** What a host needs of the bench that it shares. */

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

export interface BenchAccess {
  /** The host's own session lets go of the port. Gives the device, closed. Rejects when it cannot. */
  acquire(port: number, guest: GuestName): Promise<SerialPort>;
  /** No guest uses it any more. @param isLost the device vanished meanwhile: it may come back as another one. */
  release(port: number, isLost: boolean): void;
  /** Sends through the host's session. Rejects when that is not connected. */
  type(port: number, bytes: Uint8Array, guest: GuestName): Promise<void>;
  /** Bytes that passed while a guest uses the port, for the host's own page. */
  passed(port: number, lane: 'received' | 'sent', bytes: Uint8Array, time: number): void;
}
