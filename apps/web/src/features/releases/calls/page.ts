/** Call that changes what the page of a project says: its sentence and its picture. */
import { type PictureTheme, ProjectAnswer, type ProjectPageChange, picturePaths } from '@wirebench/contract';
import { request } from '../../../shared/api/api.ts';
import type { CallEnds } from '../../../shared/api/use-api-mutation.ts';
import { refreshProjects, useReleaseMutation } from './projects.ts';

export interface PageEdit {
  /** Empty for nothing to change. */
  readonly page: ProjectPageChange;
  /** Alternative text, for the pictures that are sent. */
  readonly text: string;
  /** A file replaces the picture of a theme, null removes it. */
  readonly pictures: readonly (readonly [theme: PictureTheme, file: File | null])[];
}

/** Mutation that changes the page, one step after the other. After a failure, the list shows the steps before it. */
export function useChangePage(id: string, ends: CallEnds<void, PageEdit>) {
  return useReleaseMutation(async ({ page, text, pictures }: PageEdit) => {
    try {
      if (Object.keys(page).length > 0) {
        await request(picturePaths.page(id), ProjectAnswer, { method: 'POST', body: page });
      }
      for (const [theme, file] of pictures) {
        const path = picturePaths.own(id, theme);
        if (file === null) {
          await request(path, ProjectAnswer, { method: 'DELETE' });
        } else {
          const body = new FormData();
          body.append('text', text);
          body.append('picture', file, file.name);
          await request(path, ProjectAnswer, { method: 'POST', body });
        }
      }
    } catch (error) {
      void refreshProjects();
      throw error;
    }
  }, ends);
}
