/**
 * Builds of a draft: chip, guards and files of each. A version with one build without guards, of at most four `.bin`
 * files for the project's model, is a version of the simple form.
 */
import {
  type BuildGuards,
  buildLimits,
  buildText,
  type DeviceFamily,
  type DeviceModel,
  deviceModelName,
  familyOf,
  firmwareFormatOf,
  releaseLimits,
  specifiedModels,
} from '@wirebench/contract';
import type { FlashTarget } from './suggest-offsets.ts';
import {
  type Added,
  addFiles,
  type ChosenFile,
  type DraftBuild,
  type DraftGuards,
  type FileRow,
  type FileRows,
  type FileRules,
  filesFault,
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
}

export interface ProjectDevice {
  readonly deviceFamily: DeviceFamily;
  readonly deviceModel: DeviceModel;
}

const buildRules: FileRules = {
  maxFiles: buildLimits.files,
  nameFault: (name) => (firmwareFormatOf(name) === null ? buildText.formats(name).replace(/\.$/, '') : null),
  tooMany: (left) => `${buildText.fileLimit}: ${left} left out.`,
};

/** Returns the device that a build's files are checked for; the project's while no chip was chosen. */
export function targetOf({ deviceModel }: Pick<DraftBuild, 'deviceModel'>, project: ProjectDevice): FlashTarget {
  const family = familyOf(deviceModel);
  return family === null ? project : { deviceFamily: family, deviceModel };
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
  const builds = draft.builds.length > 0 ? draft.builds : [buildOf(draft.nextRowId, deviceModel, draft.rows)];
  const nextRowId = draft.nextRowId + 2;
  return { ...draft, builds: [...builds, buildOf(nextRowId - 1, '', [])], rows: [], nextRowId };
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
  return second === undefined && isSimple(only, project) ? { ...draft, rows: only.rows, builds: [] } : draft;
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
  const kept = isBeside ? [buildOf(draft.nextRowId, project.deviceModel, draft.rows)] : draft.builds;
  let next: VersionDraft = { ...draft, builds: kept, rows: [], nextRowId: draft.nextRowId + 1 };
  const taken = new Set<number>();
  for (const { deviceModel, guards, files } of proposals) {
    const model = deviceModel ?? (proposals.length === 1 ? project.deviceModel : '');
    const drafted = draftGuards(guards);
    const same = next.builds.find(
      (build) => build.deviceModel === model && sameGuards(build.guards, drafted) && !taken.has(build.id),
    );
    const id = same?.id ?? next.nextRowId;
    taken.add(id);
    next =
      same === undefined
        ? {
            ...next,
            builds: [...next.builds, { ...buildOf(id, model, []), guards: drafted }],
            nextRowId: next.nextRowId + 1,
          }
        : changeBuild(next, id, (build) => ({ ...build, rows: [] }));
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
export const takesAllFormats = ({ deviceFamily }: ProjectDevice): boolean => specifiedModels(deviceFamily).length === 0;

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
  const build = buildOf(draft.nextRowId, deviceModel, draft.rows);
  return addBuildFiles({ ...draft, builds: [build], rows: [], nextRowId: draft.nextRowId + 1 }, build.id, files, rowId);
}

/** The simple form as a build. */
export const simpleBuild = ({ rows }: FileRows, { deviceModel }: ProjectDevice): DraftBuild =>
  buildOf(0, deviceModel, rows);

/** Sets the chip of a build, and clears the guards that its family does not have. */
export function setModel(draft: VersionDraft, id: number, deviceModel: DeviceModel | ''): VersionDraft {
  const family = familyOf(deviceModel);
  return changeBuild(draft, id, (build) => ({
    ...build,
    deviceModel,
    guards:
      family === 'esp' ? build.guards : family === null ? anyBoard : { ...build.guards, psram: null, minRevision: '' },
  }));
}

function buildOf(id: number, deviceModel: DeviceModel | '', rows: readonly FileRow[]): DraftBuild {
  return { id, deviceModel, guards: anyBoard, rows };
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
export function buildFaults(builds: readonly ShownBuild[]): BuildFaults[] {
  return builds.map((build, index) => {
    const { deviceModel, guards, shown } = build;
    const isSame = builds
      .slice(0, index)
      .some((other) => other.deviceModel === deviceModel && sameGuards(other.guards, guards));
    const name = deviceModel === '' ? '' : deviceModelName(deviceModel);
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
      files: empty ?? filesFault(shown) ?? same,
    };
  });
}

/**
 * Returns the fault of the builds together; null for none.
 * @param limit Maximum number of builds of this server.
 */
export function buildsFault(builds: readonly DraftBuild[], project: ProjectDevice, limit: number): string | null {
  if (builds.length > limit) {
    return `${buildText.limit(limit)} Remove ${builds.length - limit}.`;
  }
  const isReady = builds.every(({ deviceModel }) => deviceModel !== '');
  return isReady && builds.length > 0 && builds.every(({ deviceModel }) => deviceModel !== project.deviceModel)
    ? `${buildText.noProjectModel(deviceModelName(project.deviceModel))} Add it, or create a project for another model.`
    : null;
}

/** A build as it is uploaded. */
export interface PlacedBuild {
  readonly deviceModel: DeviceModel;
  readonly guards: BuildGuards;
  readonly files: readonly PlacedFile[];
}

/**
 * Returns the builds to upload, with the project's model first.
 * @returns null for a version of the simple form, whose only build has everything in `rows`.
 */
export function placedBuilds(builds: readonly ShownBuild[], project: ProjectDevice): readonly PlacedBuild[] | null {
  const [only, second] = builds;
  if (only === undefined || (second === undefined && isSimple(only, project))) {
    return null;
  }
  const placed = builds.flatMap(({ deviceModel, guards, shown }) =>
    deviceModel === '' ? [] : [{ deviceModel, guards: sentGuards(guards), files: placedFiles(shown) }],
  );
  const isFirst = ({ deviceModel }: PlacedBuild) => deviceModel === project.deviceModel;
  return [...placed.filter(isFirst), ...placed.filter((build) => !isFirst(build))];
}
