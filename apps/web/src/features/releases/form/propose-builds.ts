/**
 * Proposes builds from dropped files: recognises the chip of each, and puts together what belongs together. A list that
 * a build system wrote decides for its files, then their contents, then their names.
 */
import {
  type DeviceModel,
  type FamilyId,
  type FamilyTraits,
  familyIds,
  familyOf,
  familyTraits,
  modelName,
  modelsOf,
} from '@wirebench/boards';
import { type BuildGuards, firmwareFormatOf } from '@wirebench/contract';
import { baseName, hexOf } from '@wirebench/flasher/core';
import type { Placement } from '@wirebench/flasher/esp';
import { isWithBootloader } from '@wirebench/flasher/release/builds';
import { avrModelOf } from './arduino-output.ts';
import type { ProjectDevice, ProposedBuild } from './build-drafts.ts';
import type { DroppedEntry } from './dropped-entries.ts';
import { type OpenedEntry, openEntries } from './open-entries.ts';
import { isRpModel, rpModelsOf } from './rp-output.ts';
import type { ChosenFile } from './version-draft.ts';

export interface BuildOutput {
  /** The model of the project first, then in the order of the form. */
  readonly builds: readonly ProposedBuild[];
  /** Name of the list that was used; null without one, and for several. */
  readonly list: string | null;
  /** Parts that were left out or are missing, one sentence each. */
  readonly notes: readonly string[];
}

/** In bytes. Lists of builds have a few thousand bytes. */
const LARGEST_LIST = 1_048_576;

type ChipName = NonNullable<Placement['chip']>;
type EspFlasher = typeof import('@wirebench/flasher/esp');

/** Files that belong together. */
interface Group {
  readonly model: DeviceModel | null;
  readonly files: readonly ChosenFile[];
  /** Folder or list of the files, for sentences. */
  readonly name: string;
  readonly list: string | null;
  /** Flash that the build is made for, in bytes; null if it does not say. */
  readonly flashSize: number | null;
  /** Chip revision that the images need at least; null if they do not say. */
  readonly revision: number | null;
  readonly notes: readonly string[];
}

/** A file with the chip that it is for; null if it does not say. */
interface Recognised extends OpenedEntry {
  readonly model: DeviceModel | null;
  readonly hasAddresses: boolean;
}

/** Reads everything that was dropped, and returns the builds in it. */
export async function proposeBuilds(entries: readonly DroppedEntry[], project: ProjectDevice): Promise<BuildOutput> {
  const opened = await openEntries(entries);
  const esp = await import('@wirebench/flasher/esp');
  const isList = ({ path, bytes }: OpenedEntry) => esp.listKindOf(path) !== null && bytes.length <= LARGEST_LIST;
  const lists = opened.files.filter(isList);
  const notes = [...opened.notes];
  const recognised: Recognised[] = [];
  const leftOut: { readonly entry: OpenedEntry; readonly note: string }[] = [];
  for (const entry of opened.files.filter((file) => !isList(file))) {
    const found = await recognise(entry, esp, project);
    if (typeof found === 'string') {
      leftOut.push({ entry, note: found });
    } else {
      recognised.push(...found);
    }
  }
  const bins = recognised.filter((file) => !file.hasAddresses && !isBesideRpFile(file, recognised));
  const listed = lists.length === 0 ? [] : listedGroups(lists, bins, esp, project);
  const described = lists.map(({ path }) => folderOf(path));
  const rest = listed.length === 0 ? bins : bins.filter(({ path }) => !described.some((at) => path.startsWith(at)));
  const loose = looseGroups(rest, esp, project).filter(({ model }) => listed.length === 0 || model !== null);
  const groups = [...listed, ...loose, ...addressedGroups(recognised, bins)];
  const told = distinguished(groups);
  const strangers = opened.files.filter(({ path, file }) => !path.includes('/') && isStranger(path, file, lists));
  const builds = await withElfs(withStrangers(told.builds, strangers), opened.files);
  // No ELF file has to be chosen where each build has its own.
  const needsElf = builds.length === 0 || builds.some(({ elf }) => elf === null);
  notes.push(...leftOut.flatMap(({ entry, note }) => (needsElf || firmwareFormatOf(entry.path) !== 'elf' ? note : [])));
  const usedLists = [...new Set(listed.flatMap(({ list }) => list ?? []))];
  return {
    builds: builds.toSorted((one, other) => rankOf(one, project) - rankOf(other, project)),
    list: usedLists.length === 1 ? (usedLists[0] ?? null) : null,
    notes: [...notes, ...groups.flatMap((group) => group.notes), ...told.notes],
  };
}

/**
 * Gives each build the ELF file whose hash its app states. An app that states none gets the only ELF file in the folder
 * of its files.
 */
async function withElfs(
  builds: readonly ProposedBuild[],
  opened: readonly OpenedEntry[],
): Promise<readonly ProposedBuild[]> {
  const elfs = opened.filter(({ path }) => firmwareFormatOf(path) === 'elf');
  if (elfs.length === 0) {
    return builds;
  }
  const { readFirmware } = await import('@wirebench/flasher/release');
  const { sha256Hex } = await import('@wirebench/flasher/images');
  const entries = new Map(opened.map((entry) => [entry.file, entry]));
  // A page over plain http cannot hash. Only builds whose apps state no hash get a file there.
  const hashed = isSecureContext
    ? await Promise.all(
        elfs.map(async ({ file }) => ({ file, hash: await sha256Hex(new Uint8Array(await file.arrayBuffer())) })),
      )
    : [];
  const given = builds.map(async (build) => {
    const own = build.files.flatMap(({ file }) => entries.get(file) ?? []);
    const stated = await Promise.all(own.map(async ({ bytes }) => (await readFirmware(bytes)).app?.elfHash ?? []));
    const [hash] = stated.flat();
    const folders = new Set(own.map(({ path }) => buildFolderOf(path)));
    const fitting =
      hash === undefined
        ? elfs.filter(({ path }) => folders.has(folderOf(path)))
        : hashed.filter((one) => one.hash === hexOf(hash)).slice(0, 1);
    return { ...build, elf: fitting.length === 1 ? (fitting[0]?.file ?? null) : null };
  });
  return Promise.all(given);
}

function rankOf({ deviceModel }: ProposedBuild, project: ProjectDevice): number {
  const place = deviceModel === null ? allModels.length : allModels.indexOf(deviceModel);
  return deviceModel === project.deviceModel ? -1 : place;
}

/** Returns true for a single file whose refusal the form reports. */
function isStranger(path: string, file: File, lists: readonly OpenedEntry[]): boolean {
  return firmwareFormatOf(path) === null && !lists.some((list) => list.file === file);
}

function withStrangers(builds: readonly ProposedBuild[], strangers: readonly OpenedEntry[]): readonly ProposedBuild[] {
  const added = strangers.map(({ file }) => ({ file, offset: null }));
  const [first, ...others] = builds;
  if (added.length === 0) {
    return builds;
  }
  return first === undefined
    ? [{ deviceModel: null, guards: {}, files: added, elf: null }]
    : [{ ...first, files: [...first.files, ...added] }, ...others];
}

/**
 * Returns the file for each model that it is for; none for a file that is not firmware by its name, and a sentence for one
 * that no release can be for.
 */
async function recognise(
  entry: OpenedEntry,
  esp: EspFlasher,
  project: ProjectDevice,
): Promise<readonly Recognised[] | string> {
  const format = firmwareFormatOf(entry.path);
  if (format === null) {
    return [];
  }
  const models = await rpModelsOf(entry.path, entry.bytes);
  if (models.length > 0) {
    return models.map((model) => ({ ...entry, model, hasAddresses: format !== 'bin' }));
  }
  const found = await recogniseOther(entry, format, esp, project);
  return typeof found === 'string' ? found : found === null ? [] : [found];
}

/** Returns true for the .bin of a build for Raspberry Pi beside a file of the same program that has its own addresses. */
const isBesideRpFile = ({ path, model }: Recognised, files: readonly Recognised[]): boolean =>
  files.some(
    (other) =>
      other.hasAddresses &&
      folderOf(other.path) === folderOf(path) &&
      stemOf(other.path) === stemOf(path) &&
      isRpModel(other.model) &&
      (model === null || model === other.model),
  );

/** Returns null for a file that is not firmware, and a sentence for one that no release can be for. */
async function recogniseOther(
  entry: OpenedEntry,
  format: NonNullable<ReturnType<typeof firmwareFormatOf>>,
  esp: EspFlasher,
  project: ProjectDevice,
): Promise<Recognised | string | null> {
  const { path, bytes } = entry;
  if (isWithBootloader(path)) {
    return `${baseName(path)} is left out: it holds the bootloader besides the sketch, which no bootloader can write. The sketch alone is the .hex file without “with_bootloader” in its name.`;
  }
  if (format === 'bin') {
    const chip = esp.chipOfPart(esp.imagePartOf(bytes));
    return { ...entry, model: chip ?? (await programModel(bytes, project)), hasAddresses: false };
  }
  if (format === 'zip') {
    return { ...entry, model: inFamily('nrf', project), hasAddresses: true };
  }
  const { flashersOf, readMemoryFile, ImageError, imageFaultText } = await import('@wirebench/flasher/images');
  try {
    const { target, device, segments } = readMemoryFile(bytes, 0, { name: path });
    const named = target === null ? null : modelNamed(target);
    if (target !== null && named === null) {
      return `${baseName(path)} is left out: it is for ${target}, for which there are no releases.`;
    }
    const [first] = segments;
    const [family = null] = flashersOf(path, bytes);
    if (format === 'elf' && family === null) {
      return `${baseName(path)} is left out: it is an ELF file for a chip for which there are no releases.`;
    }
    if (format === 'elf' && family !== null && familyTraits[family].hasPartitions === true) {
      return `${baseName(path)} is left out: Espressif chips are flashed with the .bin of the build. Choose it below as the ELF file.`;
    }
    const isStm = device?.vendorId === ST_VENDOR || isStmAddress(first?.address ?? 0);
    const model = named ?? (isStm ? inFamily('stm', project) : avrModelOf(path, project));
    return { ...entry, model, hasAddresses: true };
  } catch (error) {
    if (!(error instanceof ImageError)) {
      throw error;
    }
    // The Arduino tools write an .eep file for every sketch, and nearly all are empty.
    if (format === 'eep' && error.code === 'nothing-to-load') {
      return null;
    }
    return `"${baseName(path)}": ${error.message} ${imageFaultText[error.code].remedy}`;
  }
}

/** Main flash of an STM32 (reference manuals, "Embedded flash memory"): 0x0800 0000, at most 16 MiB. */
const isStmAddress = (address: number): boolean => address >= 0x0800_0000 && address < 0x0900_0000;
/** USB vendor ID of STMicroelectronics. */
const ST_VENDOR = 0x0483;

async function programModel(bytes: Uint8Array, project: ProjectDevice): Promise<DeviceModel | null> {
  const { vectorTableOf } = await import('@wirebench/flasher/images');
  const vectors = vectorTableOf(bytes);
  return vectors !== null && isStmAddress(vectors.reset) ? inFamily('stm', project) : null;
}

/** Returns the project's model if it is of the family. A file says its series in no other case. */
const inFamily = (family: FamilyId, project: ProjectDevice): DeviceModel | null =>
  project.deviceFamily === family ? project.deviceModel : null;

const allModels: readonly DeviceModel[] = familyIds.flatMap((family) => [...modelsOf(family)]);
/** Longest names first, so that `STM32F407` is an STM32F4 before it is an STM32F. */
const byLength = allModels.toSorted((one, other) => modelName(other).length - modelName(one).length);

const traitsOf = (model: string): Partial<FamilyTraits> => {
  const family = familyOf(model);
  return family === null ? {} : familyTraits[family];
};

const isExact = (model: string): boolean => traitsOf(model).hasExactModels === true;
const hasPartitions = (model: string): boolean => traitsOf(model).hasPartitions === true;

/** Returns the model of a chip's name, such as `ESP32-S3` or `STM32F407`. */
function modelNamed(name: string): DeviceModel | null {
  const exact = allModels.find((model) => modelName(model) === name);
  return exact ?? byLength.find((model) => !isExact(model) && name.startsWith(modelName(model))) ?? null;
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** Returns the groups that the lists describe: one for each folder with lists, and one for each build of a manifest. */
function listedGroups(
  lists: readonly OpenedEntry[],
  bins: readonly Recognised[],
  esp: EspFlasher,
  project: ProjectDevice,
): Group[] {
  const folders = [...Map.groupBy(lists, ({ path }) => folderOf(path))];
  return folders.flatMap(([folder, own]) => {
    const nested = folders.map(([other]) => other).filter((other) => other !== folder && other.startsWith(folder));
    const below = bins.filter(({ path }) => path.startsWith(folder) && !nested.some((other) => path.startsWith(other)));
    // A manifest may name files in any folder. So may a list that was dropped beside the files of its build.
    const chips = chipsListed(own, esp);
    const pool = below.length === 0 || chips.length > 1 ? bins : below;
    const only = esp.chipNames.find((chip) => chip === project.deviceModel) ?? null;
    const wanted: readonly (ChipName | null)[] = chips.length > 1 ? chips : [soleChip(pool) ?? only];
    return wanted.flatMap((chip) => {
      const group = groupOf(folder, [...own, ...pool], chip, esp);
      return group.list !== null || group.notes.length > 0 ? [group] : [];
    });
  });
}

/** Returns the chips of a manifest with several builds; none for other lists. */
function chipsListed(lists: readonly OpenedEntry[], esp: EspFlasher): readonly ChipName[] {
  return lists.flatMap(({ path, bytes }) => {
    try {
      const found = esp.readFileLists(path, bytes).flatMap(({ chip }) => chip ?? []);
      return found.length > 1 ? [...new Set(found)] : [];
    } catch {
      // `placeFiles` reports a list that cannot be read.
      return [];
    }
  });
}

function soleChip(files: readonly Recognised[]): ChipName | null {
  const models = [...new Set(files.flatMap(({ model }) => model ?? []))];
  return models.length === 1 && hasPartitions(models[0] ?? '') ? (models[0] as ChipName) : null;
}

/** Groups files without a list: by folder, and within a folder by chip. */
function looseGroups(bins: readonly Recognised[], esp: EspFlasher, project: ProjectDevice): Group[] {
  const groups = [...Map.groupBy(bins, ({ path }) => buildFolderOf(path))].flatMap(([folder, files]) =>
    chipGroups(files).map(({ model, own }) => {
      return hasPartitions(model ?? project.deviceModel)
        ? { ...groupOf(folder, own, (model ?? null) as ChipName | null, esp), model }
        : plainGroup(folder, own, model);
    }),
  );
  const known = groups.filter(({ model }) => model !== null);
  if (known.length > 0) {
    return known;
  }
  const fullest = groups.toSorted((one, other) => other.files.length - one.files.length)[0];
  return fullest === undefined ? [] : [fullest];
}

/** Folders in which ESP-IDF puts the files that belong to the program above them. */
const buildFolderOf = (path: string): string =>
  folderOf(path).replace(/(^|\/)(bootloader|partition_table|partition-table)\/$/, '$1');

/**
 * Splits the files of a folder by chip. A file that names no chip, such as a partition table, belongs to the chip in its
 * name, or to all of them.
 */
function chipGroups(
  files: readonly Recognised[],
): readonly { readonly model: DeviceModel | null; readonly own: readonly Recognised[] }[] {
  const models = [...new Set(files.flatMap(({ model }) => model ?? []))];
  if (models.length < 2) {
    return [{ model: models[0] ?? null, own: files }];
  }
  return models.map((model) => ({
    model,
    own: files.filter((file) => (file.model ?? modelInName(file.path, models) ?? model) === model),
  }));
}

/** Returns the model that a file's name contains, such as `esp32-c3` in `partitions-esp32-c3.bin`. */
function modelInName(path: string, models: readonly DeviceModel[]): DeviceModel | null {
  const name = baseName(path).toLowerCase().replaceAll(/[-_]/g, '');
  return byLength.find((model) => models.includes(model) && name.includes(model)) ?? null;
}

function groupOf(folder: string, files: readonly OpenedEntry[], chip: ChipName | null, esp: EspFlasher): Group {
  const placement = esp.placeFiles(
    files.map(({ path, bytes }) => ({ name: path, bytes })),
    { chip },
  );
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  const { list } = placement;
  // Builds usually leave an application beside a list unlisted. A complete image that is left out is reported.
  const left = list === null ? placement.leftOut.map(({ name, why }) => `${baseName(name)} is left out. ${why}`) : [];
  const model = placement.chip ?? chip;
  return {
    model,
    files: placement.files.flatMap(({ name, offset }) => {
      const file = byPath.get(name);
      return file === undefined ? [] : [{ file, offset: list === null ? null : offset }];
    }),
    name: folder,
    list,
    flashSize: flashSizeOf(placement, model, esp),
    revision: revisionOf(placement),
    notes: [...placement.conflicts.map(({ what, remedy }) => `${what} ${remedy}`), ...left],
  };
}

function plainGroup(folder: string, files: readonly OpenedEntry[], model: DeviceModel | null): Group {
  const chosen = files.map(({ file }) => ({ file, offset: null }));
  return { model, files: chosen, name: folder, list: null, flashSize: null, revision: null, notes: [] };
}

/** Returns the flash size of the build's list, or of its bootloader's header, in bytes. */
function flashSizeOf({ settings, files }: Placement, chip: ChipName | null, { chipFacts }: EspFlasher): number | null {
  if (settings.size !== 'keep') {
    return settings.size;
  }
  const [code] = files.flatMap(({ part }) => (part.kind === 'bootloader' ? [part.image.flash.size] : []));
  return chip === null ? null : (chipFacts[chip].flashSizes.find(([, known]) => known === code)?.[0] ?? null);
}

function revisionOf({ files }: Placement): number | null {
  const found = files.flatMap(({ part }) =>
    part.kind === 'app' || part.kind === 'bootloader' ? (part.image.revisions?.minimum ?? []) : [],
  );
  return found.length === 0 ? null : Math.max(...found);
}

/** Returns a group for each file with its own addresses. Beside .bin files for the same chip it is left out. */
function addressedGroups(files: readonly Recognised[], bins: readonly Recognised[]): Group[] {
  const groups: Group[] = [];
  const addressed = files.filter(({ hasAddresses }) => hasAddresses);
  const isEeprom = ({ path }: Recognised) => firmwareFormatOf(path) === 'eep';
  for (const file of addressed.filter((one) => !isEeprom(one))) {
    const folder = folderOf(file.path);
    const isCovered = bins.some(({ path, model }) => folderOf(path) === folder && model === file.model);
    const isTwin = groups.some(
      ({ name, model, files: others }) => name === folder && model === file.model && isSameProgram(others, file.file),
    );
    if (isCovered) {
      groups.push({ ...plainGroup(folder, [], null), notes: [besideBins(file)] });
    } else if (!isTwin) {
      const eeprom = addressed.filter((one) => isEeprom(one) && stemOf(one.path) === stemOf(file.path));
      groups.push(plainGroup(folder, [file, ...eeprom], file.model));
    }
  }
  const written = groups.flatMap((group) => group.files.map(({ file }) => file));
  const alone = addressed.filter((one) => isEeprom(one) && !written.includes(one.file));
  groups.push(...alone.map((file) => plainGroup(folderOf(file.path), [file], file.model)));
  return groups.filter((group) => group.files.length > 0 || group.notes.length > 0);
}

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '');

/** Returns true for another format of a program: `app.elf` beside `app.hex`. */
const isSameProgram = (chosen: readonly ChosenFile[], { name }: File): boolean =>
  chosen.some(({ file }) => stemOf(file.name) === stemOf(name));

function besideBins({ path, model }: Recognised): string {
  const whose = model === null ? 'The build' : `The build for ${modelName(model)}`;
  return `${baseName(path)} is left out. ${whose} has .bin files in the same folder.`;
}

/**
 * Gives builds for one chip the guards that tell them apart: the size of flash, or the chip's revision. Without such a
 * difference the build with the most files is kept, because no board could choose between them.
 */
function distinguished(groups: readonly Group[]): { builds: readonly ProposedBuild[]; notes: readonly string[] } {
  const notes: string[] = [];
  const filled = groups.filter(({ files }) => files.length > 0);
  const builds = [...Map.groupBy(filled, ({ model }) => model)].flatMap(([model, own]) => {
    const proposal = ({ files }: Group, guards: BuildGuards = {}): ProposedBuild => ({
      deviceModel: model,
      guards,
      files,
      elf: null,
    });
    if (model === null || own.length === 1) {
      return own.map((group) => proposal(group));
    }
    for (const [key, measure] of differences) {
      const values = own.flatMap((group) => measure(group) ?? []);
      if (new Set(values).size === own.length) {
        const sorted = own.toSorted((one, other) => (measure(one) ?? 0) - (measure(other) ?? 0));
        return sorted.map((group, index) => proposal(group, index === 0 ? {} : { [key]: measure(group) }));
      }
    }
    const [kept, ...others] = own.toSorted((one, other) => other.files.length - one.files.length);
    notes.push(
      ...others.map(
        ({ name }) =>
          `${name === '' ? 'A second build' : name} is left out, because it is for ${modelName(model)} too. Add it as a build of its own, with the boards that it is for.`,
      ),
    );
    return kept === undefined ? [] : [proposal(kept)];
  });
  return { builds, notes };
}

const differences = [
  ['flashSize', ({ flashSize }: Group) => flashSize],
  ['minRevision', ({ revision }: Group) => revision],
] as const;
