/** Queries by which owners change share links: a new id, an end. The linked release does not change. */
import type { Project, Version } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { addHistory, type Change } from './history.repository.ts';
import { onProject, type ProjectEdit, readProject, touchProject } from './projects.repository.ts';
import { onVersion, rereadVersion, type VersionEdit } from './versions.repository.ts';

/** A new id removes the end of the old link. */
export type LinkChange = { readonly shareId: string } | { readonly endsAt: string | null };

interface LinkColumns {
  readonly share_id?: string;
  readonly share_ends_at: string | null;
}

export type ShareLinkRepository = ReturnType<typeof shareLinkRepository>;

export function shareLinkRepository(queries: Queries) {
  return {
    /** Returns null if the actor has no such project. */
    changeProject: (edit: ProjectEdit, change: LinkChange): Promise<Project | null> =>
      onProject(queries, edit, async (transaction) => {
        const changed = await touchProject(transaction, edit, columnsOf(change));
        await addHistory(transaction, {
          projectId: edit.id,
          action: actionOf('project', change),
          version: null,
          actor: edit.actor,
          at: edit.at,
        });
        return readProject(transaction, changed);
      }),

    /** Returns null if the actor has no such version. */
    changeVersion: (edit: VersionEdit, change: LinkChange): Promise<Version | null> =>
      onVersion(queries, edit, async (transaction, { version, projectId }) => {
        await transaction.updateTable('firmware_versions').set(columnsOf(change)).where('id', '=', edit.id).execute();
        await touchProject(transaction, { id: projectId, at: edit.at });
        await addHistory(transaction, {
          projectId,
          action: actionOf('version', change),
          version,
          actor: edit.actor,
          at: edit.at,
        });
        return rereadVersion(transaction, edit.id);
      }),
  };
}

function columnsOf(change: LinkChange): LinkColumns {
  return 'shareId' in change ? { share_id: change.shareId, share_ends_at: null } : { share_ends_at: change.endsAt };
}

function actionOf(type: 'project' | 'version', change: LinkChange): Change['action'] {
  return 'shareId' in change ? `${type}-link-renewed` : `${type}-link-end-changed`;
}
