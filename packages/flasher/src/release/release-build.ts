/**
 * A build of a release: the board that it is for. Which files it has is the caller's: a server's answer, a manifest and
 * a form have different ones.
 *
 * The build for a connected board is chosen here as well. The chip must be the build's, and the board must meet each of
 * the build's conditions. Among the builds that fit, the most specific one is taken. A property that the board did not
 * report meets no condition: a build without that condition is taken, and the other one is named as `undecided`, for a
 * person who knows the board.
 */
import { chipOf, type FamilyTraits, familyTraits, modelName } from '@wirebench/boards';
import { sizeText } from '../core/bytes.ts';

/** Conditions that a board must meet beside its chip. A missing key is no condition. */
export interface BuildGuards {
  /** Smallest flash in bytes. */
  readonly flashSize?: number | undefined;
  /** True: only boards with PSRAM. False: only boards without. */
  readonly psram?: boolean | undefined;
  /** Oldest revision of the chip as `major * 100 + minor`, as in Espressif's image header (`min_chip_rev_full`). */
  readonly minRevision?: number | undefined;
  /** `usb`: the chip's own USB port. `uart`: a bridge at its serial pins. */
  readonly connection?: 'usb' | 'uart' | undefined;
}

export interface ReleaseBuild {
  /** `esp`, `stm`, `nrf` or `avr`. */
  readonly deviceFamily: string;
  /** Chip, series or board, such as `esp32s3`, `stm32f`, `nrf52840` or `uno`. */
  readonly deviceModel: string;
  readonly guards: BuildGuards;
}

/** Properties that a connected board reported. Missing or null: the board did not report it. */
export interface BoardFacts {
  readonly family: string;
  /** Chip, as precise as it is known: `esp32s3`, `stm32f4`, `nrf52840`, `atmega328p`. Null if the bootloader does not report it. */
  readonly model: string | null;
  /** In bytes. */
  readonly flashSize?: number | null;
  readonly psram?: boolean | null;
  /** `major * 100 + minor`. */
  readonly revision?: number | null;
  readonly connection?: 'usb' | 'uart' | null;
}

/** Returns a revision as Espressif writes it: `v3.1`. */
const revisionName = (revision: number): string => `v${Math.floor(revision / 100)}.${revision % 100}`;

/** Returns the conditions in words, to be joined: `8 MB of flash or more`. Empty without conditions. */
export function guardTexts({ flashSize, psram, minRevision, connection }: BuildGuards): string[] {
  return [
    ...(flashSize === undefined ? [] : [`${sizeText(flashSize)} of flash or more`]),
    ...(psram === undefined ? [] : [psram ? 'PSRAM' : 'no PSRAM']),
    ...(minRevision === undefined ? [] : [`revision ${revisionName(minRevision)} or later`]),
    ...(connection === undefined ? [] : [connection === 'usb' ? 'a connection over its own USB' : 'a USB-UART bridge']),
  ];
}

/** Returns a build's board in words: `ESP32-S3 with 8 MB of flash or more and PSRAM`. */
export function buildName({ deviceModel, guards }: Pick<ReleaseBuild, 'deviceModel' | 'guards'>): string {
  const conditions = guardTexts(guards);
  return conditions.length === 0 ? modelName(deviceModel) : `${modelName(deviceModel)} with ${allOf(conditions)}`;
}

/** Returns the chips of the builds by name, each once, in the order of the builds. */
export function chipsOf(builds: readonly ReleaseBuild[]): string[] {
  return [...new Set(builds.map(({ deviceModel }) => modelName(deviceModel)))];
}

/** Joins words: `a, b and c`. */
export const allOf = (words: readonly string[]): string => joined(words, 'and');

/** Joins words: `a, b or c`. */
export const anyOf = (words: readonly string[]): string => joined(words, 'or');

function joined(words: readonly string[], last: 'and' | 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/** An app among the files of a version, and the version that it states. */
export interface AppVersion {
  /** Name of the file. */
  readonly name: string;
  readonly version: string;
}

const versionKey = (version: string): string =>
  version
    .trim()
    .toLowerCase()
    .replace(/^v(?=\d)/, '');

/** Returns the apps that state another version than the number that a person gave, each once. */
export function otherAppVersions(number: string, apps: readonly AppVersion[]): readonly AppVersion[] {
  const all = apps.filter(({ version }) => versionKey(version) !== versionKey(number));
  return [...new Map(all.map((app) => [`${app.name} ${app.version}`, app])).values()];
}

type BuildRefusal = 'no-chip' | 'flash-size' | 'psram' | 'revision' | 'connection' | 'ambiguous';

export type BuildChoice<Build extends ReleaseBuild = ReleaseBuild> =
  | {
      readonly kind: 'chosen';
      readonly build: Build;
      /** More specific builds that fit if the board has properties that it did not report. */
      readonly undecided: readonly Build[];
    }
  | {
      readonly kind: 'refused';
      readonly reason: BuildRefusal;
      /** Says what the board is and what the release has. One sentence with its full stop. */
      readonly sentence: string;
      /** Builds that nothing reported speaks against. A person who knows the board may choose among them. */
      readonly candidates: readonly Build[];
    };

type GuardKey = keyof BuildGuards;

/** Order in which conditions are reported, and the reason of each. */
const reasons = {
  flashSize: 'flash-size',
  psram: 'psram',
  minRevision: 'revision',
  connection: 'connection',
} as const satisfies Record<GuardKey, BuildRefusal>;

const guardKeys = Object.keys(reasons) as GuardKey[];

/** `unknown`: the board did not report the property. */
type Fit = 'met' | 'unmet' | 'unknown';

interface Judged<Build> {
  readonly build: Build;
  readonly unmet: readonly GuardKey[];
  readonly unknown: readonly GuardKey[];
}

export function chooseBuild<Build extends ReleaseBuild>(
  builds: readonly Build[],
  board: BoardFacts,
): BuildChoice<Build> {
  const ofChip = builds.filter((build) => chipFit(build, board) !== 'unmet');
  if (ofChip.length === 0) {
    return { kind: 'refused', reason: 'no-chip', sentence: noChipText(builds, board), candidates: [] };
  }
  const judged = ofChip.map((build) => judge(build, board));
  const possible = judged.filter(({ unmet }) => unmet.length === 0);
  const candidates = possible.map(({ build }) => build);
  const isOneChip = chipsOf(candidates).length === 1;
  const ofThisChip = possible.filter(({ build }) => isOneChip || chipFit(build, board) === 'met');
  if (possible.length > 0 && ofThisChip.length === 0) {
    return { kind: 'refused', reason: 'ambiguous', sentence: unknownChipText(candidates, board), candidates };
  }
  const fitting = ofThisChip.filter(({ unknown }) => unknown.length === 0).map(({ build }) => build);
  if (fitting.length === 0) {
    const [nearest] = (ofThisChip.length > 0 ? ofThisChip : judged).toSorted(
      (one, other) => one.unmet.length + one.unknown.length - other.unmet.length - other.unknown.length,
    );
    const key = nearest?.unmet[0] ?? nearest?.unknown[0] ?? 'flashSize';
    return { kind: 'refused', reason: reasons[key], sentence: unmetText(ofChip, board, key), candidates };
  }
  const best = fitting.filter((build) => !fitting.some((other) => isMoreSpecific(other, build)));
  const [build] = best;
  if (build === undefined || best.length > 1) {
    return { kind: 'refused', reason: 'ambiguous', sentence: ambiguousText(best, board), candidates };
  }
  const undecided = candidates.filter((other) => !fitting.includes(other) && !isMoreSpecific(build, other));
  return { kind: 'chosen', build, undecided };
}

/**
 * Returns the first version with a build for the board; null without one. Beta versions count only if no other has one.
 *
 * @param versions Newest first.
 */
export function versionFor<Version extends { readonly builds: readonly ReleaseBuild[]; readonly channel?: 'beta' }>(
  versions: readonly Version[],
  board: BoardFacts,
): Version | null {
  const fitting = versions.filter(({ builds }) => builds.length > 0 && chooseBuild(builds, board).kind === 'chosen');
  return fitting.find(({ channel }) => channel === undefined) ?? fitting[0] ?? null;
}

/** Words for a board that only another version of the release supports. */
export const otherVersionText = (board: string, version: string) => ({
  title: `Your board is an ${board}`,
  text: `Version ${version} has a build for it.`,
  label: `Install ${version}`,
});

/**
 * Compares the chips. Espressif's names are exact. A release for another family may name a series, which the chip's
 * name begins with: `stm32f` is for `stm32f4`. A bootloader may report no more than the series, or nothing. A board with
 * an AVR counts as its chip: `uno` is for `atmega328p`.
 */
function chipFit({ deviceFamily, deviceModel }: ReleaseBuild, { family, model }: BoardFacts): Fit {
  if (deviceFamily !== family) {
    return 'unmet';
  }
  if (model === null) {
    return 'unknown';
  }
  const chip = chipOf(deviceModel);
  const traits: Partial<Readonly<Record<string, FamilyTraits>>> = familyTraits;
  const isExact = traits[family]?.hasExactModels === true;
  if (chip === model || (!isExact && model.startsWith(chip))) {
    return 'met';
  }
  return !isExact && chip.startsWith(model) ? 'unknown' : 'unmet';
}

function judge<Build extends ReleaseBuild>(build: Build, board: BoardFacts): Judged<Build> {
  const fits = guardKeys.map((key) => [key, fitOf(key, build.guards, board)] as const);
  const those = (wanted: Fit) => fits.filter(([, fit]) => fit === wanted).map(([key]) => key);
  return { build, unmet: those('unmet'), unknown: those('unknown') };
}

function fitOf(key: GuardKey, guards: BuildGuards, board: BoardFacts): Fit {
  const compare = <Value>(
    wanted: Value | undefined,
    found: Value | null | undefined,
    isMet: (found: Value) => boolean,
  ) =>
    wanted === undefined ? 'met' : found === null || found === undefined ? 'unknown' : isMet(found) ? 'met' : 'unmet';
  const { flashSize, psram, minRevision, connection } = guards;
  switch (key) {
    case 'flashSize':
      return compare(flashSize, board.flashSize, (found) => found >= (flashSize ?? 0));
    case 'psram':
      return compare(psram, board.psram, (found) => found === psram);
    case 'minRevision':
      return compare(minRevision, board.revision, (found) => found >= (minRevision ?? 0));
    case 'connection':
      return compare(connection, board.connection, (found) => found === connection);
    default:
      return key satisfies never;
  }
}

/** Returns true if `one` asks for at least as much as `other` in each respect, and for more in one. */
function isMoreSpecific(one: ReleaseBuild, other: ReleaseBuild): boolean {
  return asksForAll(one, other) && !asksForAll(other, one);
}

function asksForAll(one: ReleaseBuild, other: ReleaseBuild): boolean {
  const [own, others] = [one.guards, other.guards];
  return (
    one.deviceModel.startsWith(other.deviceModel) &&
    (others.flashSize === undefined || (own.flashSize ?? 0) >= others.flashSize) &&
    (others.psram === undefined || own.psram === others.psram) &&
    (others.minRevision === undefined || (own.minRevision ?? -1) >= others.minRevision) &&
    (others.connection === undefined || own.connection === others.connection)
  );
}

function unknownChipText(builds: readonly ReleaseBuild[], board: BoardFacts): string {
  const what = board.model === null ? 'its chip' : `more of its chip than ${modelName(board.model)}`;
  return `The bootloader of this board does not report ${what}, and the release has builds for ${allOf(chipsOf(builds))}: choose the one that is printed on the chip.`;
}

const boardName = ({ model }: BoardFacts) => (model === null ? 'board' : modelName(model));

function noChipText(builds: readonly ReleaseBuild[], board: BoardFacts): string {
  const chips = chipsOf(builds);
  const has = chips.length === 0 ? 'has no build' : `is for ${allOf(chips)}`;
  return `This board is ${board.model === null ? 'of another family' : `an ${modelName(board.model)}`}, but the release ${has}.`;
}

/** Says the board's property and what the builds for its chip ask for. */
function unmetText(builds: readonly ReleaseBuild[], board: BoardFacts, key: GuardKey): string {
  const asked = [...new Set(builds.map(({ guards }) => allOf(guardTexts(guards))))];
  return `${foundText(board, key)}, but the release is for ${boardName(board)} with ${anyOf(asked)}.`;
}

function foundText(board: BoardFacts, key: GuardKey): string {
  const name = boardName(board);
  const { flashSize = null, psram = null, revision = null, connection = null } = board;
  switch (key) {
    case 'flashSize':
      return flashSize === null
        ? `This ${name} did not report the size of its flash`
        : `This ${name} has ${sizeText(flashSize)} of flash`;
    case 'psram':
      return psram === null
        ? `This ${name} does not report if it has PSRAM`
        : `This ${name} has ${psram ? 'PSRAM' : 'no PSRAM'}`;
    case 'minRevision':
      return revision === null
        ? `This ${name} did not report its revision`
        : `This ${name} has revision ${revisionName(revision)}`;
    case 'connection':
      return connection === null
        ? `The connection of this ${name} is unknown`
        : `This ${name} is connected ${connection === 'usb' ? 'over its own USB' : 'through a USB-UART bridge'}`;
    default:
      return key satisfies never;
  }
}

function ambiguousText(builds: readonly ReleaseBuild[], board: BoardFacts): string {
  const names = [...new Set(builds.map(buildName))];
  return names.length === 1
    ? `The release has ${builds.length} builds for ${names[0]}, which nothing tells apart: choose one of them.`
    : `This ${boardName(board)} fits ${builds.length} builds of the release: choose the one for ${anyOf(names)}.`;
}
