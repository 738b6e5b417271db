/** Schemas of the form of a new version. A file of its own, because pages that only show versions do not need it. */
import { familyIds, familyOf, modelsOf } from '@wirebench/boards';
import * as z from 'zod/mini';
import { buildLimits } from './build-rules.ts';
import { buildText } from './build-text.ts';
import { BuildGuards, Family } from './builds.ts';
import { singleLine } from './fields.ts';
import { VersionDescription } from './release-bodies.ts';
import { releaseLimits, releaseText } from './release-rules.ts';
import { Channel, ConsoleSettings } from './releases.ts';

const indexText = 'index must be the place of a file in the form, counted from 0';

/** A file of a sent build: `index` is its place among the `files` of the form. `.bin` files need an offset. */
const NewBuildFile = z.strictObject(
  {
    index: z.int(indexText).check(z.nonnegative(indexText)),
    offset: z.optional(z.string('offset must be text such as 0x10000')),
  },
  'Each file of a build must be an object with index and offset',
);

/** A build as it is sent. The family follows from the model. */
export const NewBuild = z
  .strictObject(
    {
      deviceModel: z.string(releaseText.modelRequired).check(z.minLength(1, releaseText.modelRequired)),
      deviceFamily: z.optional(Family),
      guards: z._default(BuildGuards, {}),
      files: z
        .array(NewBuildFile, 'Each build needs a list of files')
        .check(z.maxLength(buildLimits.files, buildText.fileLimit)),
    },
    'Each build must be an object with deviceModel, guards and files',
  )
  .check((context) => {
    const { deviceFamily, deviceModel } = context.value;
    const family = familyOf(deviceModel);
    if (family === null || (deviceFamily ?? family) !== family) {
      const known = deviceFamily === undefined ? familyIds.flatMap(modelsOf) : modelsOf(deviceFamily);
      const message = `Device model must be one of ${known.join(', ')}`;
      context.issues.push({ code: 'custom', message, path: ['deviceModel'], input: deviceModel });
    }
  });
export type NewBuild = z.infer<typeof NewBuild>;

function listOfTexts(name: string) {
  const message = `${name} must be a JSON list of strings`;
  return z.array(z.string(message), message);
}

/** Fields of the form without its files, after JSON fields have been parsed. */
export const NewVersion = z.object({
  projectId: z.string('projectId is required').check(z.minLength(1, 'projectId is required')),
  version: singleLine('Version', releaseText.versionRequired, releaseLimits.versionMaxLength),
  description: VersionDescription,
  /** Flash offset of each file, in the order of the files: hexadecimal with `0x`, below 2³². */
  offsets: listOfTexts('offsets'),
  /** Builds in place of `offsets`. Missing for a version with one build of `.bin` files for the project's model. */
  builds: z.optional(z.array(NewBuild, 'builds must be a JSON list of builds')),
  console: z._default(z.nullable(ConsoleSettings), null),
  /** Names of damaged files that are published nevertheless. */
  acceptDamaged: z._default(listOfTexts('acceptDamaged'), []),
  /** True: delete the oldest version if the project already has the maximum number. */
  replaceOldest: z._default(z.boolean('replaceOldest must be true or false'), false),
  channel: z._default(Channel, 'stable'),
});
export type NewVersion = z.infer<typeof NewVersion>;

/**
 * The form as it is sent (`multipart/form-data`). Fields and files may come in any order, but `builds` has to come
 * before more than four files and before files that are not `.bin`.
 */
export const NewVersionForm = z.object({
  projectId: z.string(),
  version: z.string(),
  description: z.string(),
  /** JSON text, parsed as in `NewVersion`. */
  offsets: z.string(),
  /** JSON text, parsed as in `NewVersion`; then `offsets` is left out. */
  builds: z.optional(z.string()),
  console: z.optional(z.string()),
  acceptDamaged: z.optional(z.string()),
  replaceOldest: z.optional(z.enum(['true', 'false'])),
  channel: z.optional(Channel),
  files: z.array(z.file()),
  /** The program's ELF file. Only the owner can read it. */
  elf: z.optional(z.file()),
});
