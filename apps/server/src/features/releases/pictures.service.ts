/** Rules of the sentence and the picture of a project (docs/behaviour.md, "Releases"). */
import { readFile } from 'node:fs/promises';
import type { Clock } from '@wirebench/clock';
import {
  type PictureTheme,
  type Project,
  type ProjectPageChange,
  pictureLimits,
  pictureText,
} from '@wirebench/contract';
import { type Actor, reaches } from '../../access/actor.ts';
import { ApiError, refusedField, requireFound } from '../../api-error.ts';
import { onDisk } from '../../storage/blobs/disk.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import type { BytesService } from './bytes.service.ts';
import { type PictureFacts, pictureFacts } from './picture-facts.ts';
import type { PictureRepository } from './pictures.repository.ts';
import type { ProjectEdit } from './projects.repository.ts';
import type { StoredPicture } from './shared-item.ts';
import type { UploadedFile } from './upload-form.ts';

export interface PictureServiceOptions {
  readonly pictures: PictureRepository;
  readonly bytes: BytesService;
  readonly clock: Clock;
}

/** A project and the theme of one of its pictures. */
export interface PicturePlace {
  readonly id: string;
  readonly theme: PictureTheme;
}

export type PictureService = ReturnType<typeof pictureService>;

export function pictureService({ pictures, bytes, clock }: PictureServiceOptions) {
  const edit = (id: string, actor: Actor): ProjectEdit => ({
    id,
    actor,
    at: new Date(clock.wallTime()).toISOString(),
  });

  return {
    changePage: async (id: string, actor: Actor, change: ProjectPageChange): Promise<Project> =>
      requireFound(await pictures.changePage(edit(id, actor), change)),

    /**
     * Checks that the actor has such a project, before a picture is uploaded.
     *
     * @returns The alternative text of its picture; null without a picture.
     * @throws ApiError without such a project.
     */
    async precheck(id: string, actor: Actor): Promise<string | null> {
      const text = reaches(actor, id) ? await pictures.textOf(id, actor.user.subject) : undefined;
      if (text === undefined) {
        throw new ApiError('not-found');
      }
      return text;
    },

    /** Sets or replaces the picture of a theme. The bytes decide what it is. */
    async set({ id, theme }: PicturePlace, actor: Actor, file: UploadedFile, text: string): Promise<Project> {
      const facts = await checkPicture(file);
      const { size, sha256 } = file.bytes;
      const project = await bytes.hold([file.bytes], async (uploadId) => {
        const result = requireFound(
          await pictures.set(edit(id, actor), { theme, ...facts, size, sha256 }, text, uploadId),
        );
        if (result === 'claims-lost') {
          throw new DatabaseUnavailableError({ cause: new Error('The claims of the upload have expired') });
        }
        return result;
      });
      bytes.clean();
      return project;
    },

    async remove({ id, theme }: PicturePlace, actor: Actor): Promise<Project> {
      const project = requireFound(await pictures.remove(edit(id, actor), theme));
      bytes.clean();
      return project;
    },

    own: async ({ id, theme }: PicturePlace, actor: Actor): Promise<StoredPicture> =>
      requireFound(await pictures.own(id, theme, actor.user.subject)),
  };
}

/** @throws ApiError (400) with a sentence for bytes that are not a picture of a release. */
async function checkPicture({ fileName, bytes }: UploadedFile): Promise<PictureFacts> {
  const facts = pictureFacts(await onDisk(() => readFile(bytes.path)));
  if (typeof facts === 'string') {
    throw refusedField('picture', pictureText[facts](fileName));
  }
  const { width, height } = facts;
  if (width < pictureLimits.width || height < pictureLimits.height) {
    throw refusedField('picture', pictureText.tooSmall(fileName, width, height));
  }
  if (width * height > pictureLimits.pixels) {
    throw refusedField('picture', pictureText.tooManyPixels(fileName));
  }
  return facts;
}
