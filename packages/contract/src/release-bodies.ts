/** Bodies and queries of the firmware calls. Pages that only show a release need none of them. */
import { modelsOf } from '@wirebench/boards';
import * as z from 'zod/mini';
import { Family } from './builds.ts';
import { ChipLabel, plainText, singleLine } from './fields.ts';
import { pullLimits, pullText } from './pull-rules.ts';
import { releaseLimits, releaseText } from './release-rules.ts';
import { Channel, ConsoleSettings } from './releases.ts';

const bodyText = 'The body must be a JSON object';

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

/** Null removes the settings. */
export const ConsoleChange = z.object({ console: z.nullable(ConsoleSettings) }, bodyText);

export const ChannelChange = z.object({ channel: Channel }, bodyText);

/** Versions to which a project's link leads: the stable ones, or with `beta` those of both channels. */
export const ChannelQuery = z.object({ channel: z._default(Channel, 'stable') });

/** Null removes the end. The server checks by its own clock that the time is in the future. */
export const ShareEndChange = z.object(
  { endsAt: z.nullable(z.iso.datetime('endsAt must be a time in UTC, such as 2027-01-31T12:00:00.000Z')) },
  bodyText,
);
export type ShareEndChange = z.infer<typeof ShareEndChange>;

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
