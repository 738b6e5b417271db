/** Schema of a build of a version, as it is sent. */
import * as z from 'zod/mini';
import { buildLimits, deviceFamilies, familyOf, modelsOf } from './build-rules.ts';
import { buildText } from './build-text.ts';
import { BuildGuards, Family } from './builds.ts';
import { releaseText } from './release-rules.ts';

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
      const known = deviceFamily === undefined ? deviceFamilies.flatMap(modelsOf) : modelsOf(deviceFamily);
      const message = `Device model must be one of ${known.join(', ')}`;
      context.issues.push({ code: 'custom', message, path: ['deviceModel'], input: deviceModel });
    }
  });
export type NewBuild = z.infer<typeof NewBuild>;
