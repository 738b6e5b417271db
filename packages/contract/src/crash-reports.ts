/**
 * Bodies, queries and answers about the crashes that people send, and about a version's ELF file. Only the version's
 * owner reads either.
 */
import * as z from 'zod/mini';
import { crashLimits } from './crash-rules.ts';
import { ChipLabel, Count, emptyOrSingleLine, plainText, singleLine, Timestamp, Uuid, wholeNumber } from './fields.ts';

const bodyText = 'The body must be a JSON object';

const address = z.int().check(z.minimum(0), z.maximum(0xffff_ffff));

const Name = emptyOrSingleLine('A name', 'A name must be text', crashLimits.nameMaxLength);

/** A place in the source. `line` is 0 if it is unknown. */
const CrashPlace = z.strictObject({ function: z.nullable(Name), file: z.nullable(Name), line: Count });

/**
 * One stack frame. `places` lists inlined calls first, and is empty if the sender had no ELF file. `guess` is true
 * for a frame that is uncertain.
 */
const CrashFrame = z.strictObject({
  pc: address,
  guess: z.boolean(),
  places: z.array(CrashPlace).check(z.maxLength(crashLimits.places)),
});

/** One task's stack. Sizes are in bytes, null if unknown. Frames are innermost first. */
const CrashTask = z.strictObject({
  name: z.nullable(Name),
  crashed: z.boolean(),
  stackUsed: z.nullable(Count),
  stackSize: z.nullable(Count),
  frames: z.array(CrashFrame).check(z.maxLength(crashLimits.frames)),
});
export type CrashTask = z.infer<typeof CrashTask>;

const tasksText = `The stacks cannot exceed ${crashLimits.tasksLength} characters`;
const CrashTasks = z.array(CrashTask).check(
  z.maxLength(crashLimits.tasks),
  z.refine((tasks) => JSON.stringify(tasks).length <= crashLimits.tasksLength, tasksText),
);

const idText = 'id must be a UUID that the sender made for this crash';
const fingerprintText = 'fingerprint must be 16 hexadecimal digits';
const Fingerprint = z.string(fingerprintText).check(z.regex(/^[\da-f]{16}$/, fingerprintText));

/**
 * Message for an invalid `build`: the first digits of the ELF file's SHA-256 in lower case, by which a core dump
 * names its program.
 */
const buildText = 'build must be the first digits of a SHA-256';
const Build = z.string(buildText).check(z.regex(/^[\da-f]{8,64}$/, buildText));

const memoryText = `memory must be a core dump of up to ${crashLimits.memory / 1_024} KB in Base64`;

/**
 * A crash as it is sent. A retry after a lost answer has the same `id`. `memory` is the core dump in Base64, if the
 * sender chose to include it.
 */
export const NewCrashReport = z.strictObject(
  {
    id: z.uuid(idText),
    fingerprint: Fingerprint,
    chip: ChipLabel,
    /** Revision in the format of a core dump's header: 301 is v3.1. */
    chipRevision: z._default(z.nullable(Count.check(z.maximum(65_535))), null),
    build: z._default(z.nullable(Build), null),
    /** Build of the version that the board runs, if the version has builds and the sender knows it. */
    buildId: z.optional(z.uuid('buildId must be the id of a build')),
    cause: singleLine('A cause', 'cause is required', crashLimits.causeMaxLength),
    details: z._default(
      plainText('details must be text').check(
        z.maxLength(crashLimits.detailsMaxLength, `Details cannot exceed ${crashLimits.detailsMaxLength} characters`),
      ),
      '',
    ),
    tasks: CrashTasks,
    memory: z._default(
      z.nullable(
        z
          .string(memoryText)
          .check(
            z.maxLength(Math.ceil(crashLimits.memory / 3) * 4, memoryText),
            z.regex(/^[A-Za-z\d+/]+={0,2}$/, memoryText),
          ),
      ),
      null,
    ),
  },
  bodyText,
);
export type NewCrashReport = z.infer<typeof NewCrashReport>;

const CrashChip = z.object({ chip: z.string(), count: Count });

const CrashBuild = z.object({ buildId: Uuid, count: Count });

/**
 * All reports of the same crash. `chips` and `builds` are sorted by frequency, highest first. `builds` is missing if
 * no report named a build.
 */
export const CrashGroup = z.object({
  fingerprint: z.string(),
  cause: z.string(),
  count: Count,
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
  chips: z.array(CrashChip),
  builds: z.optional(z.array(CrashBuild)),
});
export type CrashGroup = z.infer<typeof CrashGroup>;

export const CrashQuery = z.object({
  limit: z._default(wholeNumber('limit', 1, 100), crashLimits.pageSize),
  skip: z._default(wholeNumber('skip', 0, 1_000_000), 0),
});
export type CrashQuery = z.infer<typeof CrashQuery>;

/** Sorted by `lastSeenAt`, newest first. */
export const CrashList = z.object({
  crashes: z.array(CrashGroup),
  pagination: z.object({ total: Count, limit: Count, skip: Count }),
});
export type CrashList = z.infer<typeof CrashList>;

/**
 * One report of a crash. `memorySize` is the size of its core dump in bytes; 0 if it has none. `buildId` is missing if
 * the report named no build.
 */
export const CrashExample = z.object({
  _id: Uuid,
  receivedAt: Timestamp,
  chip: z.string(),
  chipRevision: z.nullable(Count),
  build: z.nullable(z.string()),
  buildId: z.optional(Uuid),
  details: z.string(),
  tasks: z.array(CrashTask),
  memorySize: Count,
});
export type CrashExample = z.infer<typeof CrashExample>;

/** Examples are newest first. */
export const CrashAnswer = z.object({ crash: z.extend(CrashGroup, { examples: z.array(CrashExample) }) });
export type CrashAnswer = z.infer<typeof CrashAnswer>;

/** Least number of SHA-256 digits that select an ELF file. Fewer digits could match another build. */
export const shortestBuild = 8;

const hashText = `sha256 must be the first ${shortestBuild} to 64 digits of a SHA-256, in hexadecimal`;

/** Selects an ELF file among the caller's versions by the SHA-256 digits from a core dump. */
export const ElfQuery = z.object({
  sha256: z.string(hashText).check(z.trim(), z.toLowerCase(), z.regex(/^[\da-f]{8,64}$/, hashText)),
});
export type ElfQuery = z.infer<typeof ElfQuery>;

/**
 * The version that the ELF file belongs to. Null if none of the caller's versions has it, as for most crashes. `size`
 * is in bytes.
 */
export const FoundElf = z.object({
  elf: z.nullable(
    z.object({
      versionId: Uuid,
      /** Missing for the file of the version itself. */
      buildId: z.optional(Uuid),
      project: z.string(),
      version: z.string(),
      fileName: z.string(),
      size: Count,
      sha256: z.string(),
    }),
  ),
});
export type FoundElf = z.infer<typeof FoundElf>;

/** Selects the ELF file of a build by the build's `_id`. Without it, the file of the version itself. */
export const BuildOfElf = z.object({ build: z.optional(z.string()) });
export type BuildOfElf = z.infer<typeof BuildOfElf>;

/** Form with an ELF file (`multipart/form-data`). */
export const ElfForm = z.object({ elf: z.file() });
