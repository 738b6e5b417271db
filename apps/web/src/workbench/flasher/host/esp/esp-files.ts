/**
 * The files that may be written, with their bytes: kept here, so that the page never holds them. All of them are placed anew
 * when one comes or goes, because one file says where another belongs.
 */
import { type DroppedFile, type PlacedFile, type Placement, type PlanFile, placeFiles } from '@wirebench/flasher';
import type { ChosenFiles, FileFacts, FileId, GivenFile } from '../../flash-protocol.ts';
import {
  baseName,
  type ChosenPlace,
  type LeftOut,
  type OpenedFile,
  openedFiles,
  sha256Of,
  withinLimit,
} from '../given-files.ts';

interface KeptFile extends DroppedFile {
  readonly id: FileId;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Where somebody who knows says that it goes. */
  readonly given: number | null;
}

export class EspFiles {
  #files: readonly KeptFile[] = [];
  /** What the build wrote about where its files go. */
  #list: DroppedFile | null = null;
  #nextId = 1;

  /** A file takes the place of an older one with its name. */
  async add(given: readonly GivenFile[]): Promise<ChosenFiles> {
    const unreadable: LeftOut[] = [];
    const opened = await Promise.all(given.map((file) => openedFiles(file, unreadable)));
    const fresh = await Promise.all(opened.flat().map((file) => this.#keep(file)));
    const older = this.#files.filter(({ name }) => !fresh.some((file) => file.name === name));
    const placement = placeFiles([...older, ...fresh, ...this.#lists]);
    const found = placement.files.flatMap(
      ({ bytes }) => [...older, ...fresh].find((file) => file.bytes === bytes) ?? [],
    );
    const { taken, tooMany } = withinLimit(found);
    this.#files = taken;
    this.#list = [...fresh, ...this.#lists].find(({ name }) => name === placement.list) ?? null;
    const notUsed = placement.leftOut.map(({ name, why }) => ({ name: baseName(name), why }));
    return this.#chosen(placement, [...unreadable, ...notUsed, ...tooMany]);
  }

  remove(ids: readonly FileId[]): ChosenFiles {
    this.#files = this.#files.filter(({ id }) => !ids.includes(id));
    if (this.#files.length === 0) {
      this.#list = null;
    }
    return this.#chosen(placeFiles([...this.#files, ...this.#lists]), []);
  }

  /** Those that were removed meanwhile are left out. */
  forPlan(files: readonly ChosenPlace[]): PlanFile[] {
    return files.flatMap(({ id, offset }) => {
      const file = this.#files.find((kept) => kept.id === id);
      return file === undefined ? [] : [{ name: baseName(file.name), offset, bytes: file.bytes }];
    });
  }

  get #lists(): readonly DroppedFile[] {
    return this.#list === null ? [] : [this.#list];
  }

  async #keep({ name, bytes, given }: OpenedFile): Promise<KeptFile> {
    return { id: this.#nextId++, name, bytes, sha256: await sha256Of(bytes), given };
  }

  #chosen({ files, conflicts }: Placement, leftOut: readonly LeftOut[]): ChosenFiles {
    return {
      files: files.flatMap((placed) => {
        const kept = this.#files.find(({ bytes }) => bytes === placed.bytes);
        return kept === undefined ? [] : [factsOf(kept, placed)];
      }),
      leftOut,
      // The page finds overlaps by itself, anew with every offset that is typed; missing files may come yet.
      conflicts: conflicts.filter(({ code }) => code !== 'overlap' && code !== 'same-place'),
    };
  }
}

function factsOf({ id, name, bytes, sha256, given }: KeptFile, placed: PlacedFile): FileFacts {
  return {
    id,
    name: baseName(name),
    size: bytes.length,
    what: placed.what,
    offset: given ?? placed.offset,
    why: given === null ? placed.why : 'The release has it here.',
    places: null,
    application: applicationOf(placed),
    sha256,
  };
}

/** `weather-node 1.4.0`; null when the file says nothing. */
function applicationOf({ part }: PlacedFile): string | null {
  if (part.kind !== 'app' || part.description === null) {
    return null;
  }
  const name = `${part.description.project} ${part.description.version}`.trim();
  return name === '' ? null : name;
}
