/** Files of one connected board over its writes: read for a plan, held while they are not back, archived for a person. */
import { isErased } from '../../core/bytes.ts';
import { overlapOf } from '../../core/ranges.ts';
import type { SavedFile } from '../../family.ts';
import type { PlannedSave } from '../../family-values.ts';
import { type RpFlashUser, settingsRange } from '../files/index.ts';
import type { RpBoard } from '../rp-board.ts';
import { displacedBy, isPlaceOf, type PutBack, planPutBack, rangeOfUser, type WrittenFlash } from './put-back.ts';
import { archiveName, archiveOf, readSavedFiles, type SavedFiles } from './saved-files.ts';

/** Files that an interrupted write has saved and not put back, kept while the same board is connected again. */
export interface HeldFiles {
  held: readonly SavedFiles[];
}

export class BoardFiles {
  readonly #board: RpBoard;
  readonly #files: HeldFiles;
  /** Files that the latest plan saves, and those of them that it does not put back as a whole. */
  #saved: readonly SavedFiles[];
  #lost: readonly SavedFiles[] = [];
  /** File systems as they were read for plans, by offset and size. Empty after a change of the flash. */
  readonly #read = new Map<string, SavedFiles>();

  constructor(board: RpBoard, files: HeldFiles) {
    this.#board = board;
    this.#files = files;
    this.#saved = files.held;
  }

  /** Drops what was read, because the flash changes. */
  forget(): void {
    this.#read.clear();
  }

  /** Reads the file systems that the write would take, and plans what becomes of their files. Null: there are none. */
  async plan(written: WrittenFlash, signal: AbortSignal): Promise<PutBack | null> {
    const { chip, users } = this.#board.info;
    const { held } = this.#files;
    this.#saved = held;
    this.#lost = [];
    const isHeld = (user: RpFlashUser) =>
      held.some((one) => overlapOf(rangeOfUser(one.user), rangeOfUser(user)) !== null);
    const saved = [...held];
    // An interrupted write may have left a part of a file system that is held: it is not read again.
    for (const user of displacedBy(written, users).filter((one) => !isHeld(one))) {
      saved.push(await this.#savedFrom(user, signal));
    }
    if (saved.length === 0) {
      return null;
    }
    const place = held.length === 0 ? undefined : users.find((user) => isPlaceOf(user, written.storage));
    const present = place === undefined ? null : await this.#savedFrom(place, signal);
    const putBack = planPutBack({ written, chip, saved, present });
    this.#saved = saved;
    this.#lost = putBack.lost;
    return putBack;
  }

  async #savedFrom(user: RpFlashUser, signal: AbortSignal): Promise<SavedFiles> {
    const key = `${user.offset} ${user.size}`;
    const known = this.#read.get(key);
    if (known !== undefined) {
      return known;
    }
    const image = await this.#board.read(rangeOfUser(user), { signal });
    const range = settingsRange(user);
    const settings = range === null ? null : await this.#board.read(range, { signal });
    const saved = readSavedFiles(user, image, settings === null || isErased(settings) ? null : settings);
    this.#read.set(key, saved);
    return saved;
  }

  /** Holds the files of the latest plan, whose write was cut: the next one puts them back. */
  hold(): void {
    if (this.#saved.length > 0) {
      this.#files.held = this.#saved;
    }
  }

  /** Holds nothing any more: the latest plan's files are where it puts them. */
  release(): void {
    this.#files.held = [];
  }

  /** Describes the archives of the latest plan. */
  planned(): readonly PlannedSave[] {
    const { chip } = this.#board.info;
    return this.#saved.map((saved) => ({
      file: archiveName(saved, chip),
      area: saved.user.name,
      isPutBack: !this.#lost.includes(saved),
    }));
  }

  archives(): readonly SavedFile[] {
    const { chip } = this.#board.info;
    return this.#saved.map((saved) => ({ ...archiveOf(saved, chip), isPutBack: !this.#lost.includes(saved) }));
  }
}
