/** Contents of a partition: read, and changed with a copy of the old ones until the write is complete. */
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupFileName } from '@wirebench/flasher/callers';
import { type BoardChange, md5, sizeText, wholeChange } from '@wirebench/flasher/core';
import type { Partition } from '@wirebench/flasher/esp';
import { type BoardRun, boardFailure } from '../board/board-run.ts';
import type { ConnectedEsp } from '../board/esp-board.ts';
import { planAndWrite } from '../board/planned-write.ts';
import { CommandError, exitCodes } from '../exit-code.ts';
import type { Interruption } from '../interruption.ts';
import { printable } from '../printable.ts';
import { ownerOnly } from '../saved-file.ts';

/** A partition as it was read. */
export interface StoredContents {
  readonly partition: Partition;
  readonly bytes: Uint8Array;
  /** 32 lower-case hexadecimal digits: the basis of a change. */
  readonly md5: string;
}

/** A change as its package plans it. */
export interface StoredChange {
  readonly change: BoardChange;
  /** Text of each single change. Contains no secret. */
  readonly entries: readonly string[];
  /** Extent of the write: `Pages 0 and 2 of 6`. */
  readonly note: string;
}

/** Kinds of partitions that a command works on. */
export interface WantedPartition {
  readonly isWanted: (partition: Partition) => boolean;
  /** Name that programs use for the partition, if there are several. */
  readonly usual: string;
  /** Names the kind: `an NVS partition`. */
  readonly what: string;
}

/**
 * Returns the partition that `--partition` names, else the only one of the kind or the one with the usual name.
 *
 * @throws CommandError without a partition table, for an unknown name, and for several partitions.
 */
export function chosenPartition({ options }: BoardRun, { board }: ConnectedEsp, wanted: WantedPartition): Partition {
  const { table, info } = board.facts;
  const { partition: name } = options;
  if (table === null) {
    const why = info.security.secureDownload
      ? 'its flash cannot be read: it is in Secure Download Mode.'
      : 'no partition table was found on it.';
    throw new CommandError(exitCodes.failed, `the board has no partition to open: ${why}`);
  }
  const names = (all: readonly Partition[]) => all.map((one) => printable(one.name)).join(', ');
  if (name !== undefined) {
    const named = table.partitions.find((one) => one.name === name);
    if (named === undefined) {
      throw new CommandError(exitCodes.usage, `--partition takes ${names(table.partitions)}, and not ${name}.`);
    }
    return named;
  }
  const found = table.partitions.filter(wanted.isWanted);
  const [only] = found;
  if (only === undefined) {
    throw new CommandError(
      exitCodes.failed,
      `the board has no ${wanted.what}. Its partitions: ${names(table.partitions)}.`,
    );
  }
  const usual = found.length === 1 ? only : found.find((one) => one.name === wanted.usual);
  if (usual === undefined) {
    throw new CommandError(
      exitCodes.refused,
      `the board has several partitions of this kind. Say which with --partition: ${names(found)}.`,
    );
  }
  return usual;
}

/** @throws CommandError for a read that fails. */
export async function readContents(
  run: BoardRun,
  { family, board }: ConnectedEsp,
  partition: Partition,
): Promise<StoredContents> {
  const { output, ended } = run;
  const { name, offset, size } = partition;
  const bytes = await board
    .read(
      { offset, length: size },
      {
        signal: ended.signal,
        onProgress: (done, total) => output.bar('reading', `Reading ${printable(name)}`, { done, total }),
      },
    )
    .catch(async (error: unknown) => {
      throw await boardFailure(run, family, error);
    });
  return { partition, bytes, md5: md5(bytes) };
}

/**
 * Shows a change, asks, writes and verifies it. The first interruption during the write waits for its end, because the
 * sectors of one change belong together. Returns false if only the plan was asked for.
 *
 * @param wayBack Command that writes the old contents back from a file.
 * @throws CommandError; the copy of the old contents then stays if something was written, and the message names it.
 */
export async function writeChange(
  run: BoardRun,
  { family, board }: ConnectedEsp,
  { partition, bytes }: StoredContents,
  { change, entries, note }: StoredChange,
  wayBack: (file: string) => string,
): Promise<boolean> {
  const { output } = run;
  const lines = entries.map((entry) => `  ${printable(entry)}`);
  output.step('changes', { partition: partition.name, entries, note }, [...lines, note].join('\n'));
  const held = heldInterruption(run.ended);
  const within: BoardRun = { ...run, ended: held };
  const settings = family.releaseSettings(false) as never;
  let copy: string | null = null;
  let isNeeded = false;
  const backText = () => {
    isNeeded = true;
    return `The old contents of ${printable(partition.name)} are in ${copy}: "${wayBack(copy ?? '')}" writes them back.`;
  };
  try {
    const isWritten = await planAndWrite(
      within,
      family,
      board,
      { files: [], settings, guard: null, changes: [change] },
      { question: 'Write?' },
      async () => {
        copy = await keptCopy(board.facts, partition, bytes);
        held.hold(() => process.stderr.write('wirebench: the write is finished first. Ctrl+C again stops at once.\n'));
      },
      backText,
    );
    if (held.hasWaited) {
      throw new CommandError(run.ended.exitCode(), 'interrupted. The change is complete on the board.');
    }
    return isWritten;
  } catch (error) {
    run.waits = within.waits;
    throw await boardFailure(within, family, error);
  } finally {
    if (copy !== null && !isNeeded) {
      await rm(copy, { force: true });
    }
  }
}

/**
 * Returns the change that makes a partition hold an image and nothing else.
 *
 * @throws CommandError for an image of another size.
 */
export function wholeContents({ partition, md5: basis }: StoredContents, image: Uint8Array): StoredChange {
  const { name, offset, size } = partition;
  if (image.length !== size) {
    throw new CommandError(
      exitCodes.refused,
      `nothing was written. The file has ${sizeText(image.length)}, and ${printable(name)} has ${sizeText(size)}.`,
    );
  }
  return {
    change: { ...wholeChange(name, { offset, length: size }, image), basis },
    entries: [`all of ${name} replaced`],
    note: sizeText(size),
  };
}

/** An interruption that can be held back. */
interface HeldInterruption extends Interruption {
  /** From now on an interruption does not abort. @param say Called once when one comes. */
  hold(say: () => void): void;
  /** True: an interruption has come and was held back. */
  readonly hasWaited: boolean;
}

function heldInterruption(ended: Interruption): HeldInterruption {
  const own = new AbortController();
  let say: (() => void) | null = null;
  let hasWaited = false;
  const pass = () => {
    if (say === null) {
      own.abort(ended.signal.reason);
    } else {
      hasWaited = true;
      say();
    }
  };
  if (ended.signal.aborted) {
    pass();
  } else {
    ended.signal.addEventListener('abort', pass, { once: true });
  }
  return {
    ...ended,
    signal: own.signal,
    hold: (act) => {
      say = act;
    },
    get hasWaited() {
      return hasWaited;
    },
  };
}

/** Most copies of one partition in a folder. */
const MAX_COPIES = 100;

/**
 * Writes the contents to a new file for the owner alone, in this folder or in that for temporary files. Returns its path.
 *
 * @throws CommandError if neither can be written.
 */
async function keptCopy(
  board: Parameters<typeof backupFileName>[0],
  { name, offset }: Partition,
  bytes: Uint8Array,
): Promise<string> {
  const names = Array.from({ length: MAX_COPIES }, (_, index) =>
    backupFileName(board, `${name}-before${index === 0 ? '' : index + 1}`, { offset, length: bytes.length }, null),
  );
  for (const folder of ['', tmpdir()]) {
    for (const path of names.map((file) => join(folder, file))) {
      try {
        await writeFile(path, bytes, { flag: 'wx', mode: ownerOnly, flush: true });
        return path;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
          // A disk that is full may have taken a part of it.
          await rm(path, { force: true });
          break;
        }
      }
    }
  }
  throw new CommandError(
    exitCodes.failed,
    'nothing was written: a copy of the old contents cannot be kept in this folder or in the one for temporary files.',
  );
}
