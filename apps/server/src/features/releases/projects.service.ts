/** Rules of projects (docs/behaviour.md, "Releases"). Projects of other users are reported as not found. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import {
  csvRecord,
  type DescriptionChange,
  type History,
  type HistoryEntry,
  type NewProject,
  type Project,
  releaseText,
} from '@wirebench/contract';
import { type Actor, reaches } from '../../access/actor.ts';
import { ApiError, requireFound } from '../../api-error.ts';
import type { BytesService } from './bytes.service.ts';
import type { HistoryPosition, HistoryRepository } from './history.repository.ts';
import type { ProjectEdit, ProjectRepository } from './projects.repository.ts';

export interface ProjectServiceOptions {
  readonly projects: ProjectRepository;
  readonly history: HistoryRepository;
  readonly bytes: BytesService;
  readonly clock: Clock;
  /** Maximum number of projects of a user. */
  readonly limit: number;
}

/** Entries per query of a history export. */
const EXPORT_BATCH = 500;

export type ProjectService = ReturnType<typeof projectService>;

export function projectService({ projects, history, bytes, clock, limit }: ProjectServiceOptions) {
  const now = () => new Date(clock.wallTime()).toISOString();
  const edit = (id: string, actor: Actor): ProjectEdit => ({ id, actor, at: now() });

  async function requireOwn(id: string, actor: Actor): Promise<void> {
    if (!reaches(actor, id) || !(await projects.exists(id, actor.user.subject))) {
      throw new ApiError('not-found');
    }
  }

  return {
    /** Lists the caller's projects, newest change first. */
    list: async (actor: Actor): Promise<Project[]> =>
      (await projects.ofOwner(actor.user.subject)).filter(({ _id }) => reaches(actor, _id)),

    async create(actor: Actor, project: NewProject): Promise<Project> {
      const result = await projects.insert({ ...project, actor, shareId: newShareId(), at: now() }, limit);
      switch (result) {
        case 'limit':
          throw new ApiError('project-limit', { message: releaseText.projectLimit(limit) });
        case 'name-taken':
          throw new ApiError('project-name-taken');
        default:
          return result;
      }
    },

    describe: async (id: string, actor: Actor, change: DescriptionChange): Promise<Project> =>
      described(await projects.describe(edit(id, actor), change)),

    /** Sets the visibility, or inverts it if `isPublic` is undefined. */
    toggle: async (id: string, actor: Actor, isPublic: boolean | undefined): Promise<Project> =>
      requireFound(await projects.setPublic(edit(id, actor), isPublic ?? null)),

    /** Returns the id of the share link, the same each time. */
    async share(id: string, actor: Actor): Promise<string> {
      const { shareId, isPublic } = requireFound(
        reaches(actor, id) ? await projects.shareIdOf(id, actor.user.subject) : null,
      );
      if (!isPublic) {
        throw new ApiError('project-not-public');
      }
      return shareId;
    },

    /** Deletes a project with its versions. Files are removed unless another version has the same bytes. */
    async remove(id: string, actor: Actor): Promise<void> {
      if (!(await projects.remove(edit(id, actor)))) {
        throw new ApiError('not-found');
      }
      bytes.clean();
    },

    async history(id: string, actor: Actor, { limit, skip }: { limit: number; skip: number }): Promise<History> {
      await requireOwn(id, actor);
      const [entries, total] = await Promise.all([history.page(id, limit, skip), history.count(id)]);
      return { history: entries, pagination: { total, limit, skip } };
    },

    /**
     * Exports the history as CSV. It reads the first batch before it resolves, so that an unavailable database is
     * reported as an error and not as half a file.
     */
    async exportHistory(id: string, actor: Actor): Promise<AsyncIterable<string>> {
      await requireOwn(id, actor);
      return csvOf(history, id, await history.after(id, null, EXPORT_BATCH));
    },
  };
}

/** Returns 128 random bits in base64url. */
export function newShareId(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * Returns the item after a change of its description.
 *
 * @throws ApiError if there is no such item, or its description is no longer the one that was edited.
 */
export function described<Item>(result: Item | string | null): Item {
  if (typeof result === 'string') {
    throw new ApiError('description-changed', { current: result });
  }
  return requireFound(result);
}

async function* csvOf(history: HistoryRepository, projectId: string, first: readonly HistoryEntry[]) {
  yield csvRecord(['_id', 'at', 'action', 'version', 'by', 'tokenId', 'tokenName']);
  let batch = first;
  while (batch.length > 0) {
    yield batch
      .map(({ _id, at, action, version, by, token }) =>
        csvRecord([_id, at, action, version ?? '', by, token?._id ?? '', token?.name ?? '']),
      )
      .join('');
    const last: HistoryPosition | undefined = batch.at(-1);
    batch = last === undefined || batch.length < EXPORT_BATCH ? [] : await history.after(projectId, last, EXPORT_BATCH);
  }
}
