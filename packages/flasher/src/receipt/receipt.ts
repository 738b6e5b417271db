/**
 * Receipt of a flash: the bytes, the hashes that proved them, the board and the time. It serves as a record, perhaps
 * years later.
 */
import type { RegionReport, WriteReport } from '../core/board.ts';

interface ReceiptFile {
  readonly name: string;
  /** Address in flash, or the index of the image if `inOrder` is true. */
  readonly offset: number;
  /** In bytes. */
  readonly size: number;
  readonly sha256: string;
}

export interface Receipt {
  /** ISO 8601, UTC: the end of the write. */
  readonly at: string;
  /** Name as the maker writes it. */
  readonly chip: string;
  /** Null if no more is known than the name. */
  readonly model: string | null;
  /** Name of the id: `MAC`. */
  readonly idName: string;
  /** Null if the chip does not report one. */
  readonly id: string | null;
  readonly demo: boolean;
  /** Name and version of the release; null for files from a disk. */
  readonly release: { readonly name: string; readonly version: string } | null;
  /** Name and version in the application itself; null if it has neither. */
  readonly application: string | null;
  readonly files: readonly ReceiptFile[];
  /** True: offsets are indices in the order of writing, because only the bootloader knows addresses. */
  readonly inOrder?: boolean;
  readonly regions: readonly RegionReport[];
  readonly state: WriteReport['state'];
  /** Bytes of the image that were written. `same` are those that flash already contained. */
  readonly written: number;
  readonly same: number;
  /** In milliseconds. */
  readonly duration: number;
}

/** The board that was written, as `Receipt` has it. */
interface ReceiptBoard {
  readonly name: string;
  readonly model: string | null;
  readonly id: string | null;
  readonly demo: boolean;
}

/** @property address Address in flash, or the index of the image. @property size In bytes. */
interface WrittenFile {
  readonly name: string;
  readonly address: number;
  readonly size: number;
  /** Lower-case hexadecimal; empty if the browser cannot hash. */
  readonly sha256: string;
  readonly application: string | null;
}

export interface ReceiptParts {
  readonly board: ReceiptBoard;
  /** Name of the board's id. */
  readonly idName: string;
  readonly report: WriteReport;
  readonly files: readonly WrittenFile[];
  readonly release: Receipt['release'];
  readonly inOrder?: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export function makeReceipt({ board, idName, report, files, release, inOrder = false, at }: ReceiptParts): Receipt {
  return {
    at: new Date(at).toISOString(),
    chip: board.name,
    model: board.model,
    idName,
    id: board.id,
    demo: board.demo,
    release,
    application: files.find(({ application }) => application !== null)?.application ?? null,
    files: files.map(({ name, address, size, sha256 }) => ({ name, offset: address, size, sha256 })),
    ...(inOrder && { inOrder }),
    regions: [...report.regions].sort((one, other) => one.offset - other.offset),
    state: report.state,
    written: report.written,
    same: report.same,
    duration: report.duration,
  };
}

/** Title of a write that had no file, such as changed settings on the board. */
const untitled = 'changes without a firmware file';

/** Names the firmware: by the release, else by the application, else by the files. Never empty. */
export function receiptTitle({ release, application, files }: Receipt): string {
  const titles = [
    release === null ? '' : `${release.name} ${release.version}`,
    application ?? '',
    files
      .map(({ name }) => name)
      .filter((name) => name !== '')
      .join(', '),
  ];
  return titles.map((title) => title.trim()).find((title) => title !== '') ?? untitled;
}
