/**
 * Keeps given files as sets: opens archives, finds the flasher that files are for, asks for one of several builds, and
 * keeps the limits. The family decides the purpose of a file.
 */
import { type FamilyId, familyWords } from '@wirebench/boards';
import { buildLimits } from '@wirebench/contract/builds';
import { baseName } from '../core/base-name.ts';
import { sizeText } from '../core/bytes.ts';
import { groupedBy } from '../core/grouped-by.ts';
import { flashersOf, isDfuPackage, packagesApart } from '../images/contents/flashers-of.ts';
import { foreignElf, notFirmwareText } from '../images/contents/not-firmware.ts';
import { readNestedZip, startsLikeZip } from '../images/formats/zip.ts';
import { ImageError, imageFaultText } from '../images/image-error.ts';
import { type Wholeness, wholenessOf } from '../images/wholeness.ts';
import {
  type ChosenFiles,
  type FileFacts,
  type FileId,
  type FileOrigin,
  type FileSet,
  type Finding,
  type GivenFile,
  originOf,
} from './chosen-files.ts';

/** Files that may be written together, as a family keeps them. */
export interface KeptFiles {
  /** @param leftOut Files that were left out before; the result has them first. */
  add(opened: readonly OpenedFile[], leftOut: readonly LeftOut[]): Promise<ChosenFiles>;
  remove(ids: readonly FileId[]): ChosenFiles;
  /** Stands for all bytes that are written, where the hashes of the files leave some out. */
  readonly key?: string | null;
}

/** Files of a family that turn into files of a plan. */
export interface PlannableFiles<PlanFile extends object = object> extends KeptFiles {
  /** Returns the files of a plan. Files that were removed since are left out. */
  forPlan(places: readonly ChosenPlace[]): readonly PlanFile[];
}

/** One of several builds that were given together. */
export interface GivenBuild {
  readonly name: string;
  /** Chip as boards name it; null if the files do not say it. */
  readonly chip: string | null;
  readonly files: readonly OpenedFile[];
}

/** Files of one family: how they are kept, and which of them belong together. */
export interface FilesOfFamily<Files extends KeptFiles> {
  readonly family: FamilyId;
  /** Returns an empty set. */
  create(): Files;
  /** Returns the builds among files; one or none if they belong together. */
  buildsAmong(files: readonly OpenedFile[]): readonly GivenBuild[];
  /** True: single files are alternatives too, because one file is written at a time. */
  readonly takesOne?: true;
  /** Shortens a file that is never written, so that it is not read to its end. */
  readonly shorten?: (file: GivenFile) => GivenFile;
  /** Judges whether a file is complete, with the ELF file beside it. Missing: by its format alone. */
  readonly wholenessOf?: (name: string, bytes: Uint8Array, program: Uint8Array | null) => Promise<Wholeness>;
}

/** Builds of which one is written. */
interface Choice {
  readonly builds: readonly GivenBuild[];
  /** Name of the chosen one; null: none yet. */
  picked: string | null;
}

/** Keeps the chosen files, and the files of each build of a release, apart from each other. */
export class FileSets<Files extends KeptFiles> {
  readonly #of: FilesOfFamily<Files>;
  readonly #sets = new Map<FileSet, Files>();
  /** Builds among the chosen files; null without a choice. */
  #choice: Choice | null = null;
  /** Names of files beyond what is kept at all. */
  #beyond: readonly string[] = [];
  /** The chosen files as they were returned last. */
  #chosen: ChosenFiles | null = null;

  constructor(of: FilesOfFamily<Files>) {
    this.#of = of;
  }

  of(set: FileSet): Files {
    const kept = this.#sets.get(set) ?? this.#of.create();
    this.#sets.set(set, kept);
    return kept;
  }

  async add(given: readonly GivenFile[], set?: FileSet): Promise<ChosenFiles> {
    return this.#noted(await this.#added(given, set), set);
  }

  async #added(given: readonly GivenFile[], set: FileSet): Promise<ChosenFiles> {
    const { shorten = (file) => file } = this.#of;
    const leftOut: LeftOut[] = [];
    const opened = (await Promise.all(given.map((file) => openedFiles(shorten(file), leftOut)))).flat();
    if (set !== undefined) {
      const { own: released, others: refused } = withoutForeignElfs(opened, this.#of.family);
      return this.#limited(await this.of(set).add(released, [...leftOut, ...refused]), set);
    }
    const { own, elsewhere, others } = this.#forThisFamily(opened);
    if (elsewhere !== null) {
      return { ...this.#limited(this.of(set).remove([]), set), leftOut, elsewhere };
    }
    const listed = withListGroup(own);
    const pool = this.#of.takesOne ? listed : listed.filter(({ group }) => group !== null);
    const builds = this.#of.buildsAmong(pool);
    if (builds.length < 2) {
      // A new build takes the place of the one that was asked for.
      this.#choice = pool.length > 0 && this.#choice?.picked === null ? null : this.#choice;
      return this.#limited(await this.of(set).add(listed, [...leftOut, ...others]), set);
    }
    await this.#dropPicked();
    this.#choice = { builds, picked: null };
    const singles = listed.filter((file) => !pool.includes(file));
    return this.#limited(await this.of(set).add(singles, [...leftOut, ...others]), set);
  }

  /** Takes the files of one of the builds in place of those of another one. */
  async choose(name: string): Promise<ChosenFiles> {
    const build = this.#choice?.builds.find((one) => one.name === name);
    if (this.#choice === null || build === undefined) {
      return this.#noted(this.#limited(this.of(undefined).remove([]), undefined), undefined);
    }
    await this.#dropPicked();
    this.#choice.picked = name;
    const files = build.files.map((file) => ({ ...file, group: name }));
    return this.#noted(this.#limited(await this.of(undefined).add(files, []), undefined), undefined);
  }

  /** Frees the bytes of a set whose last file is removed. */
  remove(ids: readonly FileId[], set?: FileSet): ChosenFiles {
    const left = this.of(set).remove(ids);
    if (left.files.length === 0) {
      this.#sets.delete(set);
      if (set === undefined) {
        this.#choice = null;
        this.#beyond = [];
      }
    }
    return this.#noted(this.#limited(left, set), set);
  }

  /**
   * Replaces the chosen files by their newest contents. A file that cannot be read rejects, and the files stay.
   *
   * @param batches Given files in the groups in which they were added.
   * @param without Files that the user has removed.
   * @returns Null if nothing differs.
   */
  async renew(batches: readonly (readonly GivenFile[])[], without: readonly FileOrigin[]): Promise<ChosenFiles | null> {
    const fresh = new FileSets(this.#of);
    const leftOut: LeftOut[] = [];
    let found: ChosenFiles | null = null;
    for (const batch of batches) {
      found = await fresh.add(batch);
      leftOut.push(...found.leftOut);
    }
    const picked = this.#choice?.picked ?? null;
    if (picked !== null && fresh.#choice?.builds.some(({ name }) => name === picked)) {
      found = await fresh.choose(picked);
    }
    const removed = (found?.files ?? []).filter((file) => without.some((other) => isOrigin(other, originOf(file))));
    found = removed.length === 0 ? found : fresh.remove(removed.map(({ id }) => id));
    const { elsewhere: _, ...chosen } = found ?? { files: [], leftOut: [], conflicts: [] };
    const files = fresh.of(undefined);
    if (found === null || (files.key === this.of(undefined).key && isSameChoice(chosen, this.#chosen))) {
      return null;
    }
    this.#sets.set(undefined, files);
    this.#choice = fresh.#choice;
    this.#beyond = fresh.#beyond;
    return this.#noted({ ...chosen, leftOut }, undefined);
  }

  /** Judges files that a build may still be writing. A file that changes while it is read is torn. */
  check(files: readonly GivenFile[], programs: readonly (GivenFile | null)[]): Promise<readonly Wholeness[]> {
    const judge = this.#of.wholenessOf ?? wholenessOf;
    return Promise.all(
      files.map(async ({ name, content }, index) => {
        try {
          const program = programs[index] ?? null;
          const [bytes, beside] = await Promise.all([bytesOf(content), program && bytesOf(program.content)]);
          return await judge(baseName(name), bytes, beside);
        } catch (error) {
          if (error instanceof DOMException) {
            return 'torn';
          }
          throw error;
        }
      }),
    );
  }

  #noted(chosen: ChosenFiles, set: FileSet): ChosenFiles {
    if (set === undefined) {
      this.#chosen = chosen;
    }
    return chosen;
  }

  async #dropPicked(): Promise<void> {
    const picked = this.#choice?.picked ?? null;
    const { files } = this.of(undefined).remove([]);
    const ids = files.flatMap(({ id, build }) => (picked !== null && build === picked ? [id] : []));
    this.of(undefined).remove(ids);
  }

  /** Separates files for this family, or of an unknown one, from those that are certainly for another. */
  #forThisFamily(opened: readonly OpenedFile[]) {
    const { family } = this.#of;
    const judged = opened.map((file) => ({ file, families: flashersOf(file.name, file.bytes) }));
    const isForeign = ({ families }: (typeof judged)[number]) => families.length > 0 && !families.includes(family);
    const foreign = judged.filter(isForeign);
    const hasOwn = judged.some(({ families }) => families.includes(family));
    if (foreign.length > 0 && !hasOwn) {
      const counts = groupedBy(foreign, ({ families }) => families[0] ?? family);
      const [[other, found] = [family, foreign]] = [...counts].toSorted((one, two) => two[1].length - one[1].length);
      const names = [...new Set(found.map(({ file }) => baseName(file.name)))];
      const only = foreign.every(({ families }) => families.length === 1 && families[0] === other);
      return { own: [], others: [], elsewhere: { family: other, names, only } };
    }
    const kept = withoutForeignElfs(
      judged.filter((one) => !isForeign(one)).map(({ file }) => file),
      family,
    );
    const others = foreign.map(
      ({ file, families: [other = family] }): LeftOut => ({ name: baseName(file.name), why: foreignText(other) }),
    );
    return { own: kept.own, others: [...others, ...kept.others], elsewhere: null };
  }

  /** Adds what prevents a write: too many files, too many parts of a build, a build that is not chosen yet. */
  #limited(chosen: ChosenFiles, set: FileSet): ChosenFiles {
    const isChosen = set === undefined;
    const beyond = chosen.files.slice(MOST_KEPT);
    const kept =
      beyond.length === 0 ? chosen : { ...this.of(set).remove(beyond.map(({ id }) => id)), leftOut: chosen.leftOut };
    if (isChosen && beyond.length > 0) {
      this.#beyond = beyond.map(({ name }) => name);
    }
    const findings = isChosen ? [...limitFindings(kept.files, this.#beyond)] : partFindings(kept.files, 'This build');
    const choice = isChosen ? this.#choice : null;
    if (choice === null) {
      return { ...kept, conflicts: [...kept.conflicts, ...findings] };
    }
    const asked = choice.picked === null ? [choiceFinding(choice)] : [];
    const builds = { picked: choice.picked, options: choice.builds.map(({ name, chip }) => ({ name, chip })) };
    return { ...kept, conflicts: [...kept.conflicts, ...asked, ...findings], builds };
  }
}

/** Leaves out ELF files for chips that the family does not write, with the reason. */
function withoutForeignElfs(opened: readonly OpenedFile[], family: FamilyId) {
  const others: LeftOut[] = [];
  const own = opened.filter(({ name, bytes }) => {
    const foreign = foreignElf(bytes, family);
    if (foreign !== null) {
      const { what, remedy } = notFirmwareText(foreign);
      others.push({ name: baseName(name), why: `${what} ${remedy}` });
    }
    return foreign === null;
  });
  return { own, others };
}

const bytesOf = async (content: Blob) => new Uint8Array(await content.arrayBuffer());

const isOrigin = (one: FileOrigin, other: FileOrigin) => one.from === other.from && one.name === other.name;

/** Returns true if both choices have the same bytes at the same places, with the same conflicts. */
function isSameChoice(one: ChosenFiles, other: ChosenFiles | null): boolean {
  const facts = ({ id: _, ...file }: FileFacts) => file;
  const text = ({ files, conflicts, list, builds }: ChosenFiles) =>
    JSON.stringify([files.map(facts), conflicts, list, builds]);
  // Without hashes, on a page over plain http, nothing proves that the bytes are the same.
  return other !== null && one.files.every(({ sha256 }) => sha256 !== '') && text(one) === text(other);
}

/** Most files that are kept, so that a folder of thousands does not fill the memory. */
const MOST_KEPT = buildLimits.filesAtOnce * buildLimits.files;

const foreignText = (family: FamilyId) => `It is for ${familyWords[family].one}, and belongs in the flasher for these.`;

function choiceFinding({ builds }: Choice): Finding {
  const names = builds.map(({ name }) => name);
  return {
    code: 'several-builds',
    files: names,
    what: `There are ${names.length} builds: ${namesText(names)}.`,
    remedy: 'Choose the one for your board.',
    stops: true,
  };
}

/** Most names that a sentence lists. */
const MAX_NAMED = 6;

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(', ');
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}

/** A build counts as one of the files that a person adds. */
function limitFindings(files: readonly FileFacts[], beyond: readonly string[]): readonly Finding[] {
  const { filesAtOnce: most } = buildLimits;
  const entries = [...groupedBy(files, ({ id, build }) => build ?? id)].map(([key, own]) => ({
    name: typeof key === 'string' ? key : (own[0]?.name ?? ''),
    own,
    since: Math.min(...own.map(({ id }) => id)),
  }));
  const sorted = entries.toSorted((one, other) => one.since - other.since);
  const extra = sorted.slice(most).map(({ name }) => name);
  const tooMany: Finding = {
    code: 'too-many-files',
    files: extra,
    what: `At most ${most} files are written at once, and ${entries.length} were added. A build in a folder or an archive counts as one.`,
    remedy: `Remove ${extra.length}, such as ${namesText(extra)}, or put the files of a build in one folder.`,
    stops: true,
  };
  const lost: Finding = {
    code: 'too-many-files',
    files: beyond,
    what: `${beyond.length} more files were given than can be kept: ${namesText(beyond)}.`,
    remedy: 'Remove all, and choose the output folder of one build.',
    stops: true,
  };
  return [
    ...(beyond.length > 0 ? [lost] : extra.length > 0 ? [tooMany] : []),
    ...entries.flatMap(({ own }) => (own[0]?.build === undefined ? [] : partFindings(own, `"${own[0].build}"`))),
  ];
}

function partFindings(files: readonly FileFacts[], name: string): readonly Finding[] {
  const { files: most } = buildLimits;
  const extra = files.slice(most).map((file) => file.name);
  return extra.length === 0
    ? []
    : [
        {
          code: 'too-many-parts',
          files: extra,
          what: `${name} has ${files.length} files. A build has at most ${most}.`,
          remedy: `Remove those that are not written, such as ${namesText(extra)}, or merge the build into one file.`,
          stops: true,
        },
      ];
}

/** Puts single files that came with a list of files into one build, named after the list. */
function withListGroup(files: readonly OpenedFile[]): readonly OpenedFile[] {
  const list = files.find(
    ({ group, name }) => group === null && /^(?:flasher_args\.json|flash_(?:project_)?args|idedata\.json)$/i.test(name),
  );
  return list === undefined
    ? files
    : files.map((file) => (file.group === null ? { ...file, group: baseName(list.name) } : file));
}

export interface LeftOut {
  readonly name: string;
  readonly why: string;
}

export interface OpenedFile {
  /** Name, or path within a folder or an archive. */
  readonly name: string;
  /** Name of the given file: this file itself, or the archive that it is in. */
  readonly from: string;
  readonly bytes: Uint8Array;
  /** Prescribed offset, for example by a release; null if it is derived. */
  readonly given: number | null;
  /** Folder or archive that it came in, or the list of its build; null for a single file. */
  readonly group: string | null;
}

/** Returns the path with the archive in which the file is, by which archives beside each other are told apart. */
export const pathOf = ({ name, group }: OpenedFile): string =>
  group === null || name.startsWith(`${group}/`) ? name : `${group}/${name}`;

/** A file of a plan, and the address of a file that contains none. */
export interface ChosenPlace {
  readonly id: FileId;
  readonly offset: number;
}

/** Limit on the size of a file in bytes: no flash of any family is larger. */
const LARGEST_FILE = 128 * 1_048_576;

/**
 * Reads a file, or the files in an archive. A DFU package stays packed, because it is written as a whole.
 * @param unreadable Receives files that cannot be opened, with the reason.
 */
async function openedFiles({ name, content, offset }: GivenFile, unreadable: LeftOut[]): Promise<OpenedFile[]> {
  if (content.size > LARGEST_FILE) {
    unreadable.push({
      name: baseName(name),
      why: `At ${sizeText(content.size)} it is larger than any flash. Choose the files that your build wrote.`,
    });
    return [];
  }
  const bytes = new Uint8Array(await content.arrayBuffer());
  const [root = '', inFolder] = name.split(/[/\\]/);
  const single: OpenedFile = {
    name,
    from: name,
    bytes,
    given: offset ?? null,
    group: inFolder === undefined ? null : root,
  };
  if (!startsLikeZip(bytes)) {
    return [single];
  }
  try {
    const packages = packagesApart(bytes);
    if (packages !== null) {
      const group = packages.length === 1 ? single.group : baseName(name);
      return packages.map((file) => ({ ...single, ...file, name: file.name ?? name, group }));
    }
    return readNestedZip(bytes, isDfuPackage).map((file) => ({
      ...file,
      from: name,
      given: null,
      group: baseName(name),
    }));
  } catch (error) {
    if (!(error instanceof ImageError)) {
      throw error;
    }
    unreadable.push({ name: baseName(name), why: `${error.message} ${imageFaultText[error.code].remedy}` });
    return [];
  }
}
