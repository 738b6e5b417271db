/** Frames: decoders of ports, and what a decoded row shows. */
import type { DecoderContent } from '@wirebench/contract/decoders';
import type { OverviewDevice, OverviewTotals } from '@wirebench/frames';
import type { DecoderFileFacts } from '@wirebench/frames/decoder-file';
import type { OtherMaster, SeenRegister } from '@wirebench/frames/modbus-registers';
import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import type { PortNumber } from '@wirebench/serial';
import type { BenchPart } from './fact.ts';

/** A decoder of a person's own, with the files that it names as far as the page has them. */
export interface OwnDecoder {
  /** Stays the same while the content is edited. */
  readonly id: string;
  /** JSON text. */
  readonly content: string;
  /** By SHA-256 in hex digits. */
  readonly files: ReadonlyMap<string, Blob>;
}

export type GivenDecoder = ReadyDecoder | OwnDecoder;

/** Result of choosing a decoder for a port. */
export type DecoderAnswer =
  /** @property from Number of the first kept line that was cut again, 1 for the first of all. Missing: none was. */
  | { readonly kind: 'applied'; readonly from?: number }
  /** Files that the decoder names and that were not given. */
  | { readonly kind: 'missing'; readonly files: DecoderContent['files'] }
  /** @property reason One sentence. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Calls for frames. */
export interface FrameCalls {
  /**
   * Cuts what a port keeps, receives and sends into frames; null: into lines by its framing again. An opened log is read
   * again. A port of a pair is cut from now on only, and so is one with lines from before this bench joined. A decoder that cannot be applied leaves lines, or the frames of its earlier content.
   *
   * @param answersOn Port on which the answers come: both are one conversation. Omitted or null: the same port.
   */
  setDecoder(port: PortNumber, decoder: GivenDecoder | null, answersOn?: PortNumber | null): DecoderAnswer;
  /** Reads a file that a decoder may name. Rejects with a sentence if no decoder can read it. */
  readDecoderFile(name: string, file: Blob): DecoderFileFacts;
  /**
   * Counts of a port's kept frames since it was connected; null without a decoder.
   * Those of a port that answers another one are in the counts of that one.
   */
  frameOverview(port: PortNumber): FrameOverview | null;
  /**
   * Newest values of the Modbus registers that were seen on a port since it was connected; null without a decoder.
   */
  seenRegisters(port: PortNumber): SeenRegisters | null;
}

export const framePart = {
  quiet: ['setDecoder', 'readDecoderFile', 'frameOverview', 'seenRegisters'],
  facts: {},
} satisfies BenchPart<FrameCalls>;

/** Registers of a Modbus line, as answers had them. */
export interface SeenRegisters {
  /** In the order in which they were first seen. */
  readonly registers: readonly SeenRegister[];
  /** Registers beyond those. */
  readonly omitted: number;
  /** Names of units by their identification. */
  readonly names: readonly (readonly [unit: number, name: string])[];
  /** Another master that asks on the line; null: none was heard. */
  readonly other: OtherMaster | null;
}

/** Bytes of a frame that belong to one field, for the boxes of an opened frame. */
export interface FrameBox {
  /** `05 C8`. */
  readonly bytes: string;
  /** Index of the row that explains them; null for bytes of no field. */
  readonly row: number | null;
  readonly name: string;
}

export interface FrameFieldRow {
  readonly name: string;
  /** Register or bits; empty for a protocol that names none. */
  readonly place: string;
  readonly bytes: string;
  /** Number before scale and offset; empty if it is the value. */
  readonly raw: string;
  /** Value with its unit and its name; empty for a field without a value. */
  readonly value: string;
  /** Steps from the raw number to the value, in words. */
  readonly how: string;
  /** Name of the curve that the values make; null for a field that is no measured number. */
  readonly series: string | null;
}

/** A frame that is opened below its row. */
export interface FrameDetail {
  /** `Answer of unit 7, Pump drive`. */
  readonly title: string;
  /** `13 bytes, checksum right, 18 ms after the question`. */
  readonly facts: string;
  readonly boxes: readonly FrameBox[];
  readonly rows: readonly FrameFieldRow[];
}

/** All frames of one device and message, or of one identifier. */
export interface FrameOverviewRow {
  /** Different for each row of a port. */
  readonly key: string;
  /** `07`; empty for a protocol that names none. */
  readonly who: string;
  readonly message: string;
  readonly count: number;
  /** Mean time between the newest frames, in ms; null for a single one, and without times. */
  readonly cycle: number | null;
  /** The newest frame in words. */
  readonly words: string;
  /** Bytes of the newest frame in stretches, those that changed since the frame before among them. */
  readonly bytes: readonly ChangedBytes[];
  /** True: those are characters, without a space between two stretches. */
  readonly isText: boolean;
  /** Bytes behind those. */
  readonly moreBytes: number;
  readonly lost: number;
  readonly exceptions: number;
  readonly isBroken: boolean;
  /** Text for the find field that finds these frames. */
  readonly find: string;
}

export interface ChangedBytes {
  /** `05 C8`; printable frames as text. */
  readonly text: string;
  readonly isChanged: boolean;
}

export interface FrameOverview {
  readonly totals: OverviewTotals;
  /** In the order in which their first frames came; further ones are in `moreRows`. */
  readonly rows: readonly FrameOverviewRow[];
  readonly moreRows: number;
  /** Devices that were asked, in that order. */
  readonly devices: readonly OverviewDevice[];
  readonly moreDevices: number;
  /** Frames that no row has room for. */
  readonly omitted: number;
  /** Frames that had left the log before they were counted. */
  readonly missed: number;
  /** True: older frames are still being counted. */
  readonly isBehind: boolean;
}
