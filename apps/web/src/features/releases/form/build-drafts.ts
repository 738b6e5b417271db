/**
 * Builds of a draft: chip, guards and files of each. A version with one build without guards, of at most four `.bin`
 * files for the project's model, is a version of the simple form.
 */
import {
  type DeviceModel,
  type FamilyId,
  familyOf,
  familyTraits,
  modelName,
  specifiedModelsOf,
} from '@wirebench/boards';
import { type BuildGuards, buildLimits, buildText, firmwareFormatOf, releaseLimits } from '@wirebench/contract';
import type { FlashTarget } from './suggest-offsets.ts';
import {
  type Added,
  addFiles,
  type ChosenFile,
  type DraftBuild,
  type DraftElf,
  type DraftGuards,
  type FileRows,
  type FileRules,
  filesFault,
  noElf,
  type PlacedFile,
  placedFiles,
  type ShownRow,
  statesAddresses,
  type VersionDraft,
} from './version-draft.ts';

export const anyBoard: DraftGuards = { flashSize: null, psram: null, minRevision: '', connection: null };

/** A build that was read from the output of a build system. */
export interface ProposedBuild {
  /** Null: the files do not say it. */
  readonly deviceModel: DeviceModel | null;
  readonly guards: BuildGuards;
  readonly files: readonly ChosenFile[];
  /** ELF file of the program; null if the output has none, or several that could be it. */
  readonly elf: File | null;
}

export interface ProjectDevice {
  readonly deviceFamily: FamilyId;
  readonly deviceModel: DeviceModel;
}

const buildRules: FileRules = {
  maxFiles: buildLimits.files,
  nameFault: (name) => (firmwareFormatOf(name) === null ? buildText.formats(name).replace(/\.$/, '') : null),
  tooMany: (extra) => `${buildText.fileLimit}: remove ${extra}.`,
};

/** Returns the device that a build's files are checked for; the project's while no chip was chosen. */
export function targetOf({ deviceModel }: Pick<DraftBuild, 'deviceModel'>, project: ProjectDevice): FlashTarget {
  const family = familyOf(deviceModel);
  return family === null ? project : { deviceFamily: family, deviceModel };
}

/**
 * Returns true for a card as *Add a build* makes it: without files, for no chip or for the project's. It
 * counts for nothing, unless there is nothing else.
 */
function isUntouched({ deviceModel, guards, rows, elf }: DraftBuild, project: ProjectDevice): boolean {
  const isForProject = deviceModel === '' || deviceModel === project.deviceModel;
  return isForProject && rows.length === 0 && elf === null && isForAny(guards);
}

/** Returns the builds that count. */
function filled<Build extends DraftBuild>(builds: readonly Build[], project: ProjectDevice): readonly Build[] {
  const touched = builds.filter((build) => !isUntouched(build, project));
  return touched.length === 0 ? builds : touched;
}

/** Changes one build. The numbers of its rows are unique within the draft. */
export function changeBuild(
  draft: VersionDraft,
  id: number,
  change: (build: DraftBuild & FileRows) => DraftBuild & FileRows,
): VersionDraft {
  let { nextRowId } = draft;
  const builds = draft.builds.map((build) => {
    if (build.id !== id) {
      return build;
    }
    const { nextRowId: next, ...changed } = change({ ...build, nextRowId });
    nextRowId = next;
    return changed;
  });
  return { ...draft, builds, nextRowId };
}

/** Adds files to a build. @param rowId Row that receives the first file. */
export function addBuildFiles(
  draft: VersionDraft,
  id: number,
  files: readonly ChosenFile[],
  rowId: number | null = null,
): Added {
  let refusal: string | null = null;
  const changed = changeBuild(draft, id, (build) => {
    const added = addFiles(build, files, rowId, buildRules);
    refusal = added.refusal;
    return added.draft;
  });
  return { draft: changed, refusal };
}

/** Appends an empty build. The simple form becomes the first build. */
export function addBuild(draft: VersionDraft, { deviceModel }: ProjectDevice): VersionDraft {
  const builds = draft.builds.length > 0 ? draft.builds : [buildOf(draft.nextRowId, deviceModel, draft)];
  const nextRowId = draft.nextRowId + 2;
  return { ...draft, ...noElf, builds: [...builds, buildOf(nextRowId - 1, '')], rows: [], nextRowId };
}

/** Appends a copy of a build behind it. Its files are uploaded once. */
export function copyBuild(draft: VersionDraft, id: number): VersionDraft {
  const at = draft.builds.findIndex((build) => build.id === id);
  const build = draft.builds[at];
  if (build === undefined) {
    return draft;
  }
  let { nextRowId } = draft;
  const copy = { ...build, id: nextRowId++, rows: build.rows.map((row) => ({ ...row, id: nextRowId++ })) };
  return { ...draft, builds: draft.builds.toSpliced(at + 1, 0, copy), nextRowId };
}

/** Removes a build. The last one left becomes the simple form again if it fits it. */
export function removeBuild(draft: VersionDraft, id: number, project: ProjectDevice): VersionDraft {
  return simplified({ ...draft, builds: draft.builds.filter((build) => build.id !== id) }, project);
}

function simplified(draft: VersionDraft, project: ProjectDevice): VersionDraft {
  const [only, second] = draft.builds;
  if (only === undefined) {
    return { ...draft, rows: [] };
  }
  const { rows, elf, elfRefusal } = only;
  return second === undefined && isSimple(only, project) ? { ...draft, rows, elf, elfRefusal, builds: [] } : draft;
}

/** Returns true if the simple form has fields for everything in the build. */
function isSimple({ deviceModel, guards, rows }: DraftBuild, project: ProjectDevice): boolean {
  return (
    deviceModel === project.deviceModel &&
    isForAny(guards) &&
    rows.length <= releaseLimits.files &&
    rows.every(({ file }) => file === null || firmwareFormatOf(file.name) === 'bin')
  );
}

const isForAny = ({ flashSize, psram, minRevision, connection }: DraftGuards): boolean =>
  flashSize === null && psram === null && minRevision.trim() === '' && connection === null;

/**
 * Puts the proposals into the draft: they replace the simple form, or the builds with the same chip and guards, and are
 * appended otherwise. One proposal that fits the simple form stays in it.
 */
export function takeProposals(draft: VersionDraft, proposals: readonly ProposedBuild[], project: ProjectDevice): Added {
  const refusals: string[] = [];
  // A folder for another chip joins the files of the simple form. A folder for the same chip replaces them.
  const isBeside =
    draft.builds.length === 0 &&
    draft.rows.some(({ file }) => file !== null) &&
    proposals.every(({ deviceModel }) => deviceModel !== null && deviceModel !== project.deviceModel);
  const kept = isBeside ? [buildOf(draft.nextRowId, project.deviceModel, draft)] : draft.builds;
  let next: VersionDraft = { ...draft, ...noElf, builds: kept, rows: [], nextRowId: draft.nextRowId + 1 };
  const taken = new Set<number>();
  for (const { deviceModel, guards, files, elf } of proposals) {
    const model = deviceModel ?? (proposals.length === 1 ? project.deviceModel : '');
    const drafted = draftGuards(guards);
    const free = next.builds.filter(({ id }) => !taken.has(id));
    // Without a build for the same boards, the folder fills an empty card.
    const same =
      free.find((build) => build.deviceModel === model && sameGuards(build.guards, drafted)) ??
      free.find((build) => build.deviceModel === '' && isUntouched(build, project));
    const id = same?.id ?? next.nextRowId;
    taken.add(id);
    next =
      same === undefined
        ? {
            ...next,
            builds: [...next.builds, { ...buildOf(id, model), guards: drafted, elf }],
            nextRowId: next.nextRowId + 1,
          }
        : changeBuild(next, id, (build) => ({
            ...build,
            deviceModel: model,
            guards: drafted,
            rows: [],
            elf,
            elfRefusal: null,
          }));
    const { draft: added, refusal } = addBuildFiles(next, id, files);
    next = added;
    if (refusal !== null) {
      refusals.push(refusal);
    }
  }
  return { draft: simplified(next, project), refusal: refusals.length === 0 ? null : refusals.join(' ') };
}

/**
 * Returns true for a project of a family that the specification does not have. Its form takes files of all formats,
 * and becomes a build with the first one that is no `.bin`.
 */
export const takesAllFormats = ({ deviceFamily }: ProjectDevice): boolean =>
  specifiedModelsOf(deviceFamily).length === 0;

/** Adds files to the form of such a project. @param rowId Row that receives the first file. */
export function addFilesOfAnyFormat(
  draft: VersionDraft,
  files: readonly ChosenFile[],
  rowId: number,
  { deviceModel }: ProjectDevice,
): Added {
  if (files.every(({ file }) => !statesAddresses(file))) {
    return addFiles(draft, files, rowId);
  }
  const build = buildOf(draft.nextRowId, deviceModel, draft);
  const next = { ...draft, ...noElf, builds: [build], rows: [], nextRowId: draft.nextRowId + 1 };
  return addBuildFiles(next, build.id, files, rowId);
}

/** The simple form as a build. */
export const simpleBuild = (draft: SimpleForm, { deviceModel }: ProjectDevice): DraftBuild =>
  buildOf(0, deviceModel, draft);

/** Sets the chip of a build, and clears the guards that its family does not have. */
export function setModel(draft: VersionDraft, id: number, deviceModel: DeviceModel | ''): VersionDraft {
  const family = familyOf(deviceModel);
  return changeBuild(draft, id, (build) => ({
    ...build,
    deviceModel,
    guards:
      family === null
        ? anyBoard
        : familyTraits[family].hasChipGuards
          ? build.guards
          : { ...build.guards, psram: null, minRevision: '' },
  }));
}

/** Content of the simple form that a build takes over. */
type SimpleForm = DraftElf & Pick<FileRows, 'rows'>;

function buildOf(
  id: number,
  deviceModel: DeviceModel | '',
  { rows, elf, elfRefusal }: SimpleForm = { rows: [], ...noElf },
): DraftBuild {
  return { id, deviceModel, guards: anyBoard, rows, elf, elfRefusal };
}

function draftGuards({ flashSize, psram, minRevision, connection }: BuildGuards): DraftGuards {
  return {
    flashSize: flashSize ?? null,
    psram: psram ?? null,
    minRevision: minRevision === undefined ? '' : `${Math.floor(minRevision / 100)}.${minRevision % 100}`,
    connection: connection ?? null,
  };
}

/** Returns the guards as the server takes them. A revision that cannot be read is left out; `guardFault` reports it. */
export function sentGuards({ flashSize, psram, minRevision, connection }: DraftGuards): BuildGuards {
  const revision = readRevision(minRevision);
  return {
    ...(flashSize === null ? {} : { flashSize }),
    ...(psram === null ? {} : { psram }),
    ...(revision === null ? {} : { minRevision: revision }),
    ...(connection === null ? {} : { connection }),
  };
}

/** Reads `3.1`, `v3.1` or `3` as major * 100 + minor. Null for any other text. */
export function readRevision(text: string): number | null {
  const found = /^v?(\d{1,3})(?:\.(\d{1,2}))?$/i.exec(text.trim());
  return found === null ? null : Number(found[1]) * 100 + Number(found[2] ?? 0);
}

const sameGuards = (one: DraftGuards, other: DraftGuards): boolean =>
  JSON.stringify(sentGuards(one)) === JSON.stringify(sentGuards(other));

/** A build with its rows as they are shown. */
export interface ShownBuild extends DraftBuild {
  readonly target: FlashTarget;
  readonly shown: readonly ShownRow[];
}

export interface BuildFaults {
  readonly model: string | null;
  readonly revision: string | null;
  /** Faults of the files, or of the build beside another one. */
  readonly files: string | null;
}

/** Returns the faults of each build, in their order. */
export function buildFaults(builds: readonly ShownBuild[], project: ProjectDevice): BuildFaults[] {
  const counted = filled(builds, project);
  return builds.map((build, index) => {
    if (!counted.includes(build)) {
      return { model: null, revision: null, files: null };
    }
    const { deviceModel, guards, shown } = build;
    const isSame = builds
      .slice(0, index)
      .some((other) => other.deviceModel === deviceModel && sameGuards(other.guards, guards));
    const name = deviceModel === '' ? '' : modelName(deviceModel);
    const same = deviceModel !== '' && isSame ? buildText.same(name) : null;
    const empty =
      deviceModel !== '' && placedFiles(shown).length === 0
        ? `${buildText.noFile(name)} Choose its files, or remove the build.`
        : null;
    return {
      model: deviceModel === '' ? 'Choose the chip that these files are for.' : null,
      revision:
        guards.minRevision.trim() === '' || readRevision(guards.minRevision) !== null
          ? null
          : 'A revision is two numbers with a point, such as 3.1.',
      files: empty ?? filesFault(shown, buildRules) ?? same,
    };
  });
}

/**
 * Returns the fault of the builds together; null for none.
 * @param limit Maximum number of builds of this server.
 */
export function buildsFault(drafted: readonly DraftBuild[], project: ProjectDevice, limit: number): string | null {
  const builds = filled(drafted, project);
  if (builds.length > limit) {
    return `${buildText.limit(limit)} Remove ${builds.length - limit}.`;
  }
  const isReady = builds.every(({ deviceModel }) => deviceModel !== '');
  return isReady && builds.length > 0 && builds.every(({ deviceModel }) => deviceModel !== project.deviceModel)
    ? `${buildText.noProjectModel(modelName(project.deviceModel))} Add it, or create a project for another model.`
    : null;
}

/** A build as it is uploaded. */
export interface PlacedBuild {
  readonly deviceModel: DeviceModel;
  readonly guards: BuildGuards;
  readonly files: readonly PlacedFile[];
  /** Uploaded after the version, in a request of its own; with the version in the simple form. */
  readonly elf: File | null;
}

/** Returns true for builds that are sent as the simple form. */
export const isSimpleForm = ([only, second]: readonly DraftBuild[], project: ProjectDevice): boolean =>
  only !== undefined && second === undefined && isSimple(only, project);

/** Returns the builds to upload, with the project's model first. */
export function placedBuilds(builds: readonly ShownBuild[], project: ProjectDevice): readonly PlacedBuild[] {
  const placed = filled(builds, project).flatMap(({ deviceModel, guards, shown, elf }) =>
    deviceModel === ''
      ? []
      : [
          {
            deviceModel,
            guards: sentGuards(guards),
            files: placedFiles(shown),
            elf: hasElf(deviceModel) ? elf : null,
          },
        ],
  );
  const isFirst = ({ deviceModel }: PlacedBuild) => deviceModel === project.deviceModel;
  return [...placed.filter(isFirst), ...placed.filter((build) => !isFirst(build))];
}

function hasElf(model: DeviceModel): boolean {
  const family = familyOf(model);
  return family === null || familyTraits[family].hasElf;
}
