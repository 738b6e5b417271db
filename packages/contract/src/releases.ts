/** Bodies, queries and answers of the firmware calls, both the owner's and the public ones. */
import * as z from 'zod/mini';
import { modelsOf } from './build-rules.ts';
import { Build, BuildGuards, Family, Model } from './builds.ts';
import { ChipLabel, Count, plainText, singleLine, Timestamp, Uuid, wholeNumber } from './fields.ts';
import { FirmwareFile } from './firmware-file.ts';
import { pullLimits, pullText } from './pull-rules.ts';
import { consoleBaudRates, lineEndings, releaseChannels, releaseLimits, releaseText } from './release-rules.ts';
import { Withheld } from './withheld.ts';

const bodyText = 'The body must be a JSON object';

/** 128 random bits in base64url. */
const ShareId = z.string();

const { descriptionMaxLength } = releaseLimits;

const descriptionText = (message: string) =>
  plainText(message).check(
    z.trim(),
    z.maxLength(descriptionMaxLength, `Description cannot exceed ${descriptionMaxLength} characters`),
    // Forms send line endings as CRLF and JSON as LF. Storing LF makes the text the same either way.
    z.overwrite((text) => text.replace(/\r\n?/g, '\n')),
  );

/** A project's description may be empty. A version's description is Markdown and must not be empty. */
const ProjectDescription = descriptionText('Description must be text');
export const VersionDescription = descriptionText(releaseText.descriptionRequired).check(
  z.minLength(1, releaseText.descriptionRequired),
);

export const NewProject = z
  .object(
    {
      name: singleLine('Project name', releaseText.nameRequired, releaseLimits.nameMaxLength),
      description: z._default(ProjectDescription, ''),
      deviceFamily: z._default(Family, 'esp'),
      deviceModel: z.string(releaseText.modelRequired).check(z.minLength(1, releaseText.modelRequired)),
    },
    bodyText,
  )
  .check((context) => {
    const { deviceFamily, deviceModel } = context.value;
    const known: readonly string[] = modelsOf(deviceFamily);
    if (!known.includes(deviceModel)) {
      const message = `Device model must be one of ${known.join(', ')}`;
      context.issues.push({ code: 'custom', message, path: ['deviceModel'], input: deviceModel });
    }
  });
export type NewProject = z.infer<typeof NewProject>;

/**
 * The description before the edit. The change is refused if the stored one differs; without `before` it always
 * applies.
 */
const EditedDescription = z.optional(plainText('before must be text'));

export const ProjectDescriptionChange = z.object(
  { description: ProjectDescription, before: EditedDescription },
  bodyText,
);
export type DescriptionChange = z.infer<typeof ProjectDescriptionChange>;
export const VersionDescriptionChange = z.object(
  { description: VersionDescription, before: EditedDescription },
  bodyText,
);

/** Takes a version from a manifest. Without `version` the newest one; a manifest without numbers needs it. */
export const NewPull = z.object(
  {
    manifest: singleLine('manifest', pullText.addressRequired, pullLimits.addressMaxLength),
    version: z.optional(singleLine('Version', releaseText.versionRequired, releaseLimits.versionMaxLength)),
  },
  bodyText,
);
export type NewPull = z.infer<typeof NewPull>;

/** Sets the visibility to `isPublic`. Without `isPublic` it toggles, so a repeated call undoes the first. */
export const SharingChange = z.nullish(
  z.object({ isPublic: z.optional(z.boolean('isPublic must be true or false')) }, bodyText),
);
export type SharingChange = z.infer<typeof SharingChange>;

const baudText = `Baud rate must be a whole number from ${consoleBaudRates.minimum} to ${consoleBaudRates.maximum}`;

const jkitText = 'jkitId must be the id of a JKit';
const JkitId = z.string(jkitText).check(z.regex(/^[\w-]{1,64}$/, jkitText));

/**
 * Settings of the monitor that opens after a flash. The JKit of `jkitId` brings its messages and its rules, and may have
 * been deleted since. Its rules colour and count lines at once, and answer once the person at the board allows it.
 */
export const ConsoleSettings = z.object(
  {
    baudRate: z
      .int(baudText)
      .check(z.minimum(consoleBaudRates.minimum, baudText), z.maximum(consoleBaudRates.maximum, baudText)),
    lineEnding: z.enum(lineEndings, `Line ending must be one of ${lineEndings.join(', ')}`),
    jkitId: z._default(z.nullable(JkitId), null),
  },
  'Console settings must be an object',
);
export type ConsoleSettings = z.infer<typeof ConsoleSettings>;

/** Null removes the settings. */
export const ConsoleChange = z.object({ console: z.nullable(ConsoleSettings) }, bodyText);

export const Channel = z.enum(releaseChannels, `channel must be one of ${releaseChannels.join(', ')}`);

export const ChannelChange = z.object({ channel: Channel }, bodyText);

/** Versions to which a project's link leads: the stable ones, or with `beta` those of both channels. */
export const ChannelQuery = z.object({ channel: z._default(Channel, 'stable') });

/** A version's ELF file. `size` is in bytes, `sha256` is lower-case hex. */
const ElfFile = z.object({ fileName: z.string(), size: Count, sha256: z.string() });

/** End of a share link; missing if the link does not expire. */
const ShareEnd = z.optional(Timestamp);

/**
 * `writeCount` is the number of reported successful flashes. Files are sorted by offset. Only the owner gets
 * `withheld` (why other people cannot see it), `elf`, and `crashes` (the number of crashes sent).
 *
 * `builds` is missing for a version of the simple form: one build for the project's model, without guards, of at most
 * four `.bin` files. Otherwise the first build is for the project's model, and `files` are its files.
 */
export const Version = z.object({
  _id: Uuid,
  shareId: ShareId,
  shareEndsAt: ShareEnd,
  withheld: z.optional(Withheld),
  version: z.string(),
  description: z.string(),
  isPublic: z.boolean(),
  createdAt: Timestamp,
  writeCount: Count,
  console: z.nullable(ConsoleSettings),
  /** Missing for a stable version. */
  channel: z.optional(z.literal('beta')),
  files: z.array(FirmwareFile),
  builds: z.optional(z.array(Build)),
  elf: z.optional(ElfFile),
  crashes: z.optional(Count),
});
export type Version = z.infer<typeof Version>;

/**
 * The project as a version link shows it. `publisher` is a user name. `demo` is true for a project that is for demo
 * devices only.
 */
export const ProjectSummary = z.object({
  _id: Uuid,
  name: z.string(),
  description: z.string(),
  deviceFamily: Family,
  deviceModel: Model,
  publisher: z.string(),
  demo: z.boolean(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type ProjectSummary = z.infer<typeof ProjectSummary>;

/** Versions are newest first. The owner gets all of them, other people only the public ones. */
export const Project = z.extend(ProjectSummary, {
  shareId: ShareId,
  shareEndsAt: ShareEnd,
  withheld: z.optional(Withheld),
  isPublic: z.boolean(),
  versions: z.array(Version),
});
export type Project = z.infer<typeof Project>;

/** Newest change first. */
export const ProjectList = z.object({ projects: z.array(Project) });
export type ProjectList = z.infer<typeof ProjectList>;
export const ProjectAnswer = z.object({ project: Project });
export type ProjectAnswer = z.infer<typeof ProjectAnswer>;
export const VersionList = z.object({ versions: z.array(Version) });
export type VersionList = z.infer<typeof VersionList>;
export const VersionAnswer = z.object({ version: Version });
export type VersionAnswer = z.infer<typeof VersionAnswer>;
export const SharedVersionAnswer = z.object({ project: ProjectSummary, version: Version });
export type SharedVersionAnswer = z.infer<typeof SharedVersionAnswer>;
export const ShareAnswer = z.object({ shareId: ShareId });
export type ShareAnswer = z.infer<typeof ShareAnswer>;

/** Null removes the end. The server checks by its own clock that the time is in the future. */
export const ShareEndChange = z.object(
  { endsAt: z.nullable(z.iso.datetime('endsAt must be a time in UTC, such as 2027-01-31T12:00:00.000Z')) },
  bodyText,
);
export type ShareEndChange = z.infer<typeof ShareEndChange>;

/** Actions that the history records. */
export const historyActions = [
  'project-created',
  'project-described',
  'project-published',
  'project-withdrawn',
  'project-link-renewed',
  'project-link-end-changed',
  'version-created',
  'version-described',
  'version-published',
  'version-withdrawn',
  'version-link-renewed',
  'version-link-end-changed',
  'version-console-changed',
  'version-channel-changed',
  'version-elf-added',
  'version-elf-removed',
  'version-deleted',
] as const;

/**
 * `by` is the user name at that time. `token` is the token that acted for the user; null if the user acted in person.
 */
export const HistoryEntry = z.object({
  _id: Uuid,
  at: Timestamp,
  action: z.enum(historyActions),
  version: z.nullable(z.string()),
  by: z.string(),
  token: z.nullable(z.object({ _id: Uuid, name: z.string() })),
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const HistoryQuery = z.object({
  format: z._default(z.enum(['json', 'csv'], 'format must be json or csv'), 'json'),
  limit: z._default(wholeNumber('limit', 1, 100), 100),
  skip: z._default(wholeNumber('skip', 0, 1_000_000), 0),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** Newest first. The CSV has every entry and ignores `limit` and `skip`. */
export const History = z.object({
  history: z.array(HistoryEntry),
  pagination: z.object({ total: Count, limit: Count, skip: Count }),
});
export type History = z.infer<typeof History>;

const errorCodeText = 'errorCode must be a code such as wrong-chip';

/** Outcome of one flash. It carries nothing about the person or the board. */
export const FlashReport = z.nullish(
  z.object(
    {
      result: z._default(z.enum(['success', 'failure'], 'result must be success or failure'), 'success'),
      chip: z.optional(ChipLabel),
      errorCode: z.optional(z.string(errorCodeText).check(z.regex(/^[a-z\d][a-z\d-]{0,39}$/, errorCodeText))),
      /** Build that was flashed, if the version has builds. An unknown one counts for the version only. */
      buildId: z.optional(z.uuid('buildId must be the id of a build')),
    },
    bodyText,
  ),
);
export type FlashReport = z.infer<typeof FlashReport>;

const FlashCount = z.object({
  result: z.enum(['success', 'failure']),
  chip: z.nullable(z.string()),
  errorCode: z.nullable(z.string()),
  count: Count,
});

const BuildFlashes = z.object({ buildId: Uuid, successes: Count, failures: Count });

/**
 * `counts` is sorted by frequency, highest first. `builds` is in the order of the version's builds, and missing if it
 * has none.
 */
export const FlashesAnswer = z.object({
  flashes: z.object({
    successes: Count,
    failures: Count,
    counts: z.array(FlashCount),
    builds: z.optional(z.array(BuildFlashes)),
  }),
});
export type FlashesAnswer = z.infer<typeof FlashesAnswer>;

/**
 * A file in a manifest. `path` is relative to the manifest's address. `offset` is as in `FirmwareFile`, `size` is in
 * bytes.
 */
const ManifestFile = z.object({
  path: z.string(),
  fileName: z.string(),
  offset: z.string(),
  size: Count,
  sha256: z.string(),
});

/** A build in a manifest, of any family. `_id` is what a flash report names; missing for a version without builds. */
const ManifestBuild = z.object({
  _id: z.optional(Uuid),
  deviceFamily: Family,
  deviceModel: Model,
  guards: BuildGuards,
  files: z.array(ManifestFile),
});

/**
 * Manifest for ESP Web Tools (https://esphome.github.io/esp-web-tools/). Paths are relative to the manifest's
 * address. `builds` has what those tools can write: builds of `.bin` files for Espressif chips, without guards or with
 * one on the connection (`serialType`).
 *
 * `wirebench` has every build, for readers that know it; ESP Web Tools ignores it. It is missing for a version of the
 * simple form for one of the specified models.
 */
export const EspManifest = z.object({
  name: z.string(),
  version: z.string(),
  new_install_prompt_erase: z.boolean(),
  builds: z.array(
    z.object({
      chipFamily: z.string(),
      serialType: z.optional(z.enum(['cdc', 'uart'])),
      parts: z.array(z.object({ path: z.string(), offset: Count })),
    }),
  ),
  wirebench: z.optional(
    z.object({
      publisher: z.string(),
      /** Share ID of the version, by which flashes and crashes are reported. */
      shareId: ShareId,
      builds: z.array(ManifestBuild),
    }),
  ),
});
export type EspManifest = z.infer<typeof EspManifest>;
