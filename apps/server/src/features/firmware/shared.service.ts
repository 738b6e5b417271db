/**
 * What anyone may read of releases, as finished answers. Which state of a project is public is asked every time, so that what is
 * made private is gone at once on every process; the answer itself is built once for each state.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '@wirebench/clock';
import type { FlashReport, ProjectSummary, Version } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import { AnswerCache, type CachedAnswer } from './answer-cache.ts';
import { badgeSvg } from './badge.ts';
import { batched } from './batched.ts';
import { espManifest } from './esp-manifest.ts';
import { MOST_REVISIONS, type SharedRepository } from './shared.repository.ts';
import type { SharedType, StoredFile } from './shared-item.ts';

/** What a share link is about. */
export interface SharedItem {
  readonly project: ProjectSummary;
  /** Of a project link the newest one; null when none is public. */
  readonly version: Version | null;
}

/** Code units of answers that are kept: those of some thousand releases. */
const CACHE_CAPACITY = 8 * 1_024 * 1_024;

/** 128 random bits in base64url: nothing else can be a share id. */
const SHARE_ID = /^[\w-]{22}$/;

export type SharedService = ReturnType<typeof sharedService>;

export function sharedService(repository: SharedRepository, clock: Clock) {
  const cache = new AnswerCache(CACHE_CAPACITY);
  const revisions = {
    project: batched((ids) => repository.revisions('project', ids), MOST_REVISIONS),
    version: batched((ids) => repository.revisions('version', ids), MOST_REVISIONS),
  };

  /** The answer called `kind` about an item; `build` may answer null where there is none. Throws 404. */
  async function answer(
    kind: string,
    type: SharedType,
    shareId: string,
    build: () => Promise<string | null>,
  ): Promise<CachedAnswer> {
    const state = SHARE_ID.test(shareId) ? await revisions[type](shareId) : undefined;
    if (state === undefined || hasEnded(state.endsAt)) {
      throw await absence(type, shareId);
    }
    const { revision } = state;
    const key = `${kind} ${type} ${shareId}`;
    const cached = cache.get(key, revision);
    if (cached !== null) {
      return cached;
    }
    const body = await build();
    if (body === null) {
      throw new ApiError('not-found');
    }
    const built = { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
    cache.set(key, revision, built);
    return built;
  }

  const now = () => new Date(clock.now()).toISOString();
  const hasEnded = (endsAt: string | null | undefined) => endsAt != null && endsAt <= now();

  /** Says of what was public once why it is not any more; nothing of what is private. */
  async function absence(type: SharedType, shareId: string): Promise<ApiError> {
    const reason = SHARE_ID.test(shareId) ? await repository.absence(type, shareId, now()) : null;
    return new ApiError(reason ?? 'not-found');
  }

  async function item(type: SharedType, shareId: string): Promise<SharedItem | null> {
    if (!SHARE_ID.test(shareId)) {
      return null;
    }
    if (type === 'version') {
      const shared = await repository.version(shareId);
      return hasEnded(shared?.version.shareEndsAt) ? null : shared;
    }
    const project = await repository.project(shareId);
    return project === null || hasEnded(project.shareEndsAt) ? null : { project, version: project.versions[0] ?? null };
  }

  return {
    /** Null when nothing is public under this share id. */
    item,

    /** `{ project }` with its public versions, or `{ project, version }`. */
    read: (type: SharedType, shareId: string): Promise<CachedAnswer> =>
      answer('item', type, shareId, async () => {
        if (type === 'version') {
          return json(await repository.version(shareId));
        }
        const project = await repository.project(shareId);
        return project === null ? null : json({ project });
      }),

    manifest: (type: SharedType, shareId: string): Promise<CachedAnswer> =>
      answer('manifest', type, shareId, async () => {
        const shared = await item(type, shareId);
        return shared?.version ? json(espManifest(shared.project, shared.version)) : null;
      }),

    badge: (type: SharedType, shareId: string): Promise<CachedAnswer> =>
      answer('badge', type, shareId, async () => {
        const shared = await item(type, shareId);
        return shared === null
          ? null
          : badgeSvg(shared.project.name, shared.version?.version ?? 'no version published yet');
      }),

    async file(type: SharedType, shareId: string, fileId: string): Promise<StoredFile> {
      const file = SHARE_ID.test(shareId) ? await repository.file(type, shareId, fileId, now()) : null;
      if (file === null) {
        throw await absence(type, shareId);
      }
      return file;
    },

    /** Counts a flash of a public version. */
    async report(shareId: string, report: FlashReport): Promise<void> {
      const { result = 'success', chip = '', errorCode = '' } = report ?? {};
      if (!SHARE_ID.test(shareId) || !(await repository.countFlash(shareId, { result, chip, errorCode }))) {
        throw new ApiError('not-found');
      }
    },
  };
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
