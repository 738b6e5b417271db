/** Projects and versions as the firmware calls answer them, to their owner and to everyone. */
import * as z from 'zod/mini';
import { Build, ElfFile, Family, FirmwareFile, Model } from './builds.ts';
import { Count, Timestamp, Uuid } from './fields.ts';
import { consoleBaudRates, lineEndings, releaseChannels } from './release-rules.ts';
import { Withheld } from './withheld.ts';

/** 128 random bits in base64url. */
const ShareId = z.string();

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

export const Channel = z.enum(releaseChannels, `channel must be one of ${releaseChannels.join(', ')}`);

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

/** A file of a picture, in pixels and bytes. `type` is its media type. */
const PictureFile = z.object({ type: z.string(), width: Count, height: Count, size: Count, sha256: z.string() });

/** The picture of a project. `text` is its alternative text. A theme without a file shows that of the other. */
export const Picture = z.object({
  text: z.string(),
  light: z.optional(PictureFile),
  dark: z.optional(PictureFile),
});
export type Picture = z.infer<typeof Picture>;

/**
 * The project as a version link shows it. `publisher` is a user name. `demo` is true for a project that is for demo
 * devices only.
 */
export const ProjectSummary = z.object({
  _id: Uuid,
  name: z.string(),
  description: z.string(),
  /** Says what the firmware does for its owner; missing without one. */
  sentence: z.optional(z.string()),
  picture: z.optional(Picture),
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

/**
 * Returns the builds of an answered version, at least one; the first is for the project's model. A version of the simple
 * form is one build, with the id of the version. Whatever shows, writes or compares a version takes its builds from here.
 */
export function buildsOf(
  { builds, _id, files, writeCount, elf, crashes }: Version,
  { deviceFamily, deviceModel }: Pick<ProjectSummary, 'deviceFamily' | 'deviceModel'>,
): readonly Build[] {
  return builds ?? [{ _id, deviceFamily, deviceModel, guards: {}, files, writeCount, elf, crashes }];
}

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
