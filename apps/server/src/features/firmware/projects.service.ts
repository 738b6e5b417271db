/** Rules of projects (docs/behaviour.md, "Releases"). What belongs to somebody else answers as if it did not exist. */
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
import { ApiError } from '../../api-error.ts';
import { type Actor, reaches } from './actor.ts';
import type { BytesService } from './bytes.service.ts';
import type { HistoryPosition, HistoryRepository } from './history.repository.ts';
import type { ProjectEdit, ProjectRepository } from './projects.repository.ts';

export interface ProjectServiceOptions {
  readonly projects: ProjectRepository;
  readonly history: HistoryRepository;
  readonly bytes: BytesService;
  readonly clock: Clock;
  /** Projects that a user may have. */
  readonly limit: number;
}

/** Lines read at once while a history is exported. */
const EXPORT_BATCH = 500;

export type ProjectService = ReturnType<typeof projectService>;

export function projectService({ projects, history, bytes, clock, limit }: ProjectServiceOptions) {
  const now = () => new Date(clock.now()).toISOString();
  const edit = (id: string, actor: Actor): ProjectEdit => ({ id, actor, at: now() });

  async function requireOwn(id: string, actor: Actor): Promise<void> {
    if (!reaches(actor, id) || !(await projects.exists(id, actor.user.subject))) {
      throw new ApiError('not-found');
    }
  }

  return {
    /** The caller's, newest change first. */
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

    /** Turns the visibility to the other one unless `isPublic` says which. */
    toggle: async (id: string, actor: Actor, isPublic: boolean | undefined): Promise<Project> =>
      found(await projects.setPublic(edit(id, actor), isPublic ?? null)),

    /** The id of the share link, the same each time. */
    async share(id: string, actor: Actor): Promise<string> {
      const { shareId, isPublic } = found(reaches(actor, id) ? await projects.shareIdOf(id, actor.user.subject) : null);
      if (!isPublic) {
        throw new ApiError('project-not-public');
      }
      return shareId;
    },

    /** With its versions; files go when no other version has the same bytes. */
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

    /** Has read the beginning when it resolves, so that a database that is away is still an error and not half a file. */
    async exportHistory(id: string, actor: Actor): Promise<AsyncIterable<string>> {
      await requireOwn(id, actor);
      return csvOf(history, id, await history.after(id, null, EXPORT_BATCH));
    },
  };
}

/** 128 random bits in base64url. */
export function newShareId(): string {
  return randomBytes(16).toString('base64url');
}

/** What came of a change of a description. Throws when there is no item, or another description than the one that was edited. */
export function described<Item>(result: Item | string | null): Item {
  if (typeof result === 'string') {
    throw new ApiError('description-changed', { current: result });
  }
  return found(result);
}

function found<Item>(item: Item | null): Item {
  if (item === null) {
    throw new ApiError('not-found');
  }
  return item;
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
