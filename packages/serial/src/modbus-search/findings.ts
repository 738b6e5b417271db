/** Findings of a search for Modbus devices. All values can be cloned between threads. */
import type { PortSettings } from '@wirebench/port';
import type { FoundTable } from './register-ranges.ts';

export interface FoundDevice {
  readonly unit: number;
  readonly line: PortSettings;
  /** Code of the exception with which it answered; null: it let a register be read. */
  readonly exception: number | null;
  /** Shortest and longest time of its answers, in milliseconds. */
  readonly fastest: number;
  readonly slowest: number;
  /** Objects of its identification, such as vendor, product code and revision. Empty: it offers none. */
  readonly identification: readonly string[];
  /** Tables of which something was read. null: they were not looked for, or not to the end. */
  readonly tables: readonly FoundTable[] | null;
  /** Answers that came damaged. */
  readonly damaged: number;
  /** True: two right answers came to one question, so two devices have this unit. */
  readonly isTwice: boolean;
  /** True: it did not answer to the end of the search. */
  readonly isGone: boolean;
}

/** A unit at which only damaged answers came: two devices that answer at once, or a line with faults. */
export interface DamagedUnit {
  readonly unit: number;
  readonly line: PortSettings;
  readonly tries: number;
}

/** Bytes that came before anything was sent: there is another master, or noise. */
export interface HeardTraffic {
  readonly bytes: number;
  readonly frames: number;
  /** Units of the frames, in order. */
  readonly units: readonly number[];
}

export type SearchEnd = 'complete' | 'stopped' | 'traffic' | 'failed';

export interface ModbusFindings {
  readonly devices: readonly FoundDevice[];
  readonly damaged: readonly DamagedUnit[];
  /** Settings at which most questions got damaged bytes: those of another line, or of a line with faults. */
  readonly noisy: readonly PortSettings[];
  /** Requests that were sent. */
  readonly requests: number;
  /** Bytes heard before anything was sent; null: none. */
  readonly traffic: HeardTraffic | null;
  /** Right frames during the search that answer nothing that was asked. */
  readonly foreign: number;
  /** True: the adapter returns what is sent. */
  readonly hasEcho: boolean;
}

export interface ModbusSearchReport extends ModbusFindings {
  readonly end: SearchEnd;
  /** Message of the error that ended it; empty without one. */
  readonly failure: string;
}

/** A device while it is read. */
export type ChangingDevice = { -readonly [Name in keyof FoundDevice]: FoundDevice[Name] };
