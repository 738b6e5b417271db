/** Queries of what a project says about itself on its page: its sentence and its picture. */
import { type PictureTheme, type Project, type ProjectPageChange, pictureTypes } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { isKnown } from '../../storage/known-values.ts';
import { type FileBytes, releaseBytes, settleClaims } from './bytes.repository.ts';
import { addHistory } from './history.repository.ts';
import { changeOf, onProject, type ProjectEdit, readProject, touchProject } from './projects.repository.ts';
import type { SharedType, StoredPicture } from './shared-item.ts';

export interface NewPictureRow extends FileBytes {
  readonly theme: PictureTheme;
  /** Media type. */
  readonly type: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export type PictureRepository = ReturnType<typeof pictureRepository>;

export function pictureRepository(queries: Queries) {
  const files = (theme: PictureTheme) =>
    queries
      .selectFrom('firmware_pictures as i')
      .innerJoin('firmware_projects as p', 'p.id', 'i.project_id')
      .innerJoin('firmware_blobs as b', 'b.sha256', 'i.sha256')
      .select(['p.name as fileName', 'i.type', 'i.size', 'i.sha256', 'b.blob_key as key'])
      .where('i.theme', '=', theme);

  // A type that only a newer server knows is not served.
  const known = (row: StoredPicture | undefined): StoredPicture | null =>
    row !== undefined && isKnown(pictureTypes, row.type) ? row : null;

  return {
    /** Changes the sentence and the alternative text, as far as they are given. */
    changePage: (edit: ProjectEdit, { sentence, pictureText }: ProjectPageChange): Promise<Project | null> =>
      onProject(queries, edit, async (transaction, project) => {
        const change = {
          ...(sentence === undefined ? {} : { sentence }),
          // Without a picture, there is nothing that it would describe.
          ...(pictureText === undefined || project.picture_text === null ? {} : { picture_text: pictureText }),
        };
        const isSame =
          (change.sentence === undefined || change.sentence === project.sentence) &&
          (change.picture_text === undefined || change.picture_text === project.picture_text);
        if (isSame) {
          return readProject(transaction, project);
        }
        const changed = await touchProject(transaction, edit, change);
        await addHistory(transaction, changeOf(edit.id, edit, 'project-page-changed'));
        return readProject(transaction, changed);
      }),

    /** Returns the alternative text; null for a project without a picture, undefined without such a project. */
    async textOf(id: string, subject: string): Promise<string | null | undefined> {
      const row = await queries
        .selectFrom('firmware_projects')
        .select('picture_text')
        .where('id', '=', id)
        .where('subject', '=', subject)
        .where('is_demo', '=', 0)
        .executeTakeFirst();
      return row?.picture_text;
    },

    /** Sets or replaces the picture of a theme. `uploadId` has claimed its bytes. */
    set: (
      edit: ProjectEdit,
      picture: NewPictureRow,
      text: string,
      uploadId: string,
    ): Promise<Project | 'claims-lost' | null> =>
      onProject<Project | 'claims-lost'>(queries, edit, async (transaction) => {
        const { theme, type, width, height, size, sha256 } = picture;
        if (!(await settleClaims(transaction, uploadId, [sha256]))) {
          return 'claims-lost';
        }
        const before = await removeRow(transaction, edit.id, theme);
        await transaction
          .insertInto('firmware_pictures')
          .values({ project_id: edit.id, theme, type, width, height, size, sha256 })
          .execute();
        await releaseBytes(transaction, before);
        const changed = await touchProject(transaction, edit, { picture_text: text });
        await addHistory(transaction, changeOf(edit.id, edit, 'project-picture-added'));
        return readProject(transaction, changed);
      }),

    /** Removes the picture of a theme, and with the last one its alternative text. */
    remove: (edit: ProjectEdit, theme: PictureTheme): Promise<Project | null> =>
      onProject(queries, edit, async (transaction, project) => {
        const before = await removeRow(transaction, edit.id, theme);
        if (before.length === 0) {
          return readProject(transaction, project);
        }
        await releaseBytes(transaction, before);
        const rest = await transaction
          .selectFrom('firmware_pictures')
          .select('theme')
          .where('project_id', '=', edit.id)
          .executeTakeFirst();
        const changed = await touchProject(transaction, edit, rest === undefined ? { picture_text: null } : {});
        await addHistory(transaction, changeOf(edit.id, edit, 'project-picture-removed'));
        return readProject(transaction, changed);
      }),

    /** Returns a picture of the owner, public or not. */
    own: async (id: string, theme: PictureTheme, subject: string): Promise<StoredPicture | null> =>
      known(
        await files(theme)
          .where('p.id', '=', id)
          .where('p.subject', '=', subject)
          .where('p.is_demo', '=', 0)
          .executeTakeFirst(),
      ),

    /**
     * Returns the picture of a public project, or of the project of a public version.
     *
     * @param now ISO 8601, UTC.
     */
    shared: async (
      type: SharedType,
      shareId: string,
      theme: PictureTheme,
      now: string,
    ): Promise<StoredPicture | null> => {
      const pictures = files(theme).where('p.is_public', '=', 1);
      return known(
        type === 'project'
          ? await pictures
              .where('p.share_id', '=', shareId)
              .where((eb) => eb.or([eb('p.share_ends_at', 'is', null), eb('p.share_ends_at', '>', now)]))
              .executeTakeFirst()
          : await pictures
              .innerJoin('firmware_versions as v', 'v.project_id', 'p.id')
              .where('v.share_id', '=', shareId)
              .where('v.is_public', '=', 1)
              .where((eb) => eb.or([eb('v.share_ends_at', 'is', null), eb('v.share_ends_at', '>', now)]))
              .executeTakeFirst(),
      );
    },
  };
}

/** Returns the hash of the removed picture; empty without one. */
async function removeRow(transaction: Queries, projectId: string, theme: PictureTheme): Promise<string[]> {
  const removed = await transaction
    .deleteFrom('firmware_pictures')
    .where('project_id', '=', projectId)
    .where('theme', '=', theme)
    .returning('sha256')
    .execute();
  return removed.map(({ sha256 }) => sha256);
}
