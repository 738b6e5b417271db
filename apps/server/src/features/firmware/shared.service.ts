/**
 * What anyone may read of releases, as finished answers. Which state of a project is public is looked at every time, so that
 * what is made private is gone at once on every process; the answer itself is built once for each state.
 */
import type { Clock } from '@wirebench/clock';
import type { ErrorCode, FlashReport, ProjectSummary, Version } from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import { AnswerCache } from './answer-cache.ts';
import { badgeSvg } from './badge.ts';
import { batched } from './batched.ts';
import { espManifest } from './esp-manifest.ts';
import type { FlashCounts } from './flash-counts.ts';
import { ReleaseAnswer, tagOf } from './release-answer.ts';
import { MOST_STATES, type PublicState, type SharedRepository } from './shared.repository.ts';
import type { SharedType, StoredFile } from './shared-item.ts';
import { whileUnchanged } from './while-unchanged.ts';

/** What a share link is about. */
export interface SharedItem {
  readonly project: ProjectSummary;
  /** Of a project link the newest one; null when none is public. */
  readonly version: Version | null;
}

/** A finished answer. */
export interface SharedAnswer {
  readonly body: string;
  /** As the header has it. */
  readonly etag: string;
}

/** Code units of answers that are kept, of releases and of what is derived from them: those of some thousand releases. */
const CACHE_CAPACITY = 4 * 1_024 * 1_024;

/** 128 random bits in base64url: nothing else can be a share id. */
const SHARE_ID = /^[\w-]{22}$/;

/** Why there is nothing to read. */
const ABSENCES: ReadonlySet<ErrorCode> = new Set(['not-found', 'taken-down', 'share-ended']);

export type SharedService = ReturnType<typeof sharedService>;

export interface SharedServiceOptions {
  readonly repository: SharedRepository;
  readonly counts: FlashCounts;
  readonly clock: Clock;
  /** As `Database.contentVersion`. */
  readonly contentVersion: () => number | null;
}

export function sharedService({ repository, counts, clock, contentVersion }: SharedServiceOptions) {
  const releases = new AnswerCache<ReleaseAnswer>(CACHE_CAPACITY, ({ length }) => length);
  const derived = new AnswerCache<SharedAnswer>(CACHE_CAPACITY, ({ body }) => body.length);
  const states = {
    project: statesOf('project'),
    version: statesOf('version'),
  };

  function statesOf(type: SharedType) {
    const load = whileUnchanged(contentVersion, (ids) => repository.states(type, ids));
    return batched(load, MOST_STATES);
  }

  /** Throws 404 when nothing is public under this share id, 410 when its link has ended or it was taken down. */
  async function stateOf(type: SharedType, shareId: string): Promise<PublicState> {
    const state = SHARE_ID.test(shareId) ? await states[type](shareId) : undefined;
    if (state === undefined || hasEnded(state.endsAt)) {
      throw await absence(type, shareId);
    }
    return state;
  }

  /** The answer called `key`, of a state of the item; `build` may answer null where there is none. Throws 404. */
  async function cached<Answer>(
    cache: AnswerCache<Answer>,
    key: string,
    { revision }: PublicState,
    build: () => Promise<Answer | null>,
  ): Promise<Answer> {
    const known = cache.get(key, revision);
    if (known !== null) {
      return known;
    }
    const built = await build();
    if (built === null) {
      throw new ApiError('not-found');
    }
    cache.set(key, revision, built);
    return built;
  }

  /** What is made of a release without its counts. */
  async function derive(
    kind: string,
    type: SharedType,
    shareId: string,
    build: (item: SharedItem) => string | null,
  ): Promise<SharedAnswer> {
    return cached(derived, `${kind} ${type} ${shareId}`, await stateOf(type, shareId), async () => {
      const shared = await item(type, shareId);
      const body = shared === null ? null : build(shared);
      return body === null ? null : { body, etag: tagOf(body) };
    });
  }

  async function projectOf(shareId: string) {
    const project = await repository.project(shareId);
    return project === null ? null : { project };
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
    /** What `build` makes of an item, built once for each state of it; null when nothing is public under this share id. */
    async derived(
      kind: string,
      type: SharedType,
      shareId: string,
      build: (item: SharedItem) => string,
    ): Promise<string | null> {
      try {
        return (await derive(kind, type, shareId, build)).body;
      } catch (error) {
        if (error instanceof ApiError && ABSENCES.has(error.code)) {
          return null;
        }
        throw error;
      }
    },

    /** `{ project }` with its public versions, or `{ project, version }`. */
    async read(type: SharedType, shareId: string): Promise<SharedAnswer> {
      const state = await stateOf(type, shareId);
      const answer = await cached(releases, `${type} ${shareId}`, state, async () => {
        const release = type === 'version' ? await repository.version(shareId) : await projectOf(shareId);
        return release === null ? null : new ReleaseAnswer(release);
      });
      return { body: answer.bodyWith(await counts.successes(answer.versionIds)), etag: answer.etag };
    },

    manifest: (type: SharedType, shareId: string): Promise<SharedAnswer> =>
      derive('manifest', type, shareId, ({ project, version }) => {
        const manifest = version === null ? null : espManifest(project, version);
        return manifest === null ? null : JSON.stringify(manifest);
      }),

    badge: (type: SharedType, shareId: string): Promise<SharedAnswer> =>
      derive('badge', type, shareId, ({ project, version }) =>
        badgeSvg(project.name, version?.version ?? 'no version published yet'),
      ),

    async file(type: SharedType, shareId: string, fileId: string): Promise<StoredFile> {
      const file = SHARE_ID.test(shareId) ? await repository.file(type, shareId, fileId, now()) : null;
      if (file === null) {
        throw await absence(type, shareId);
      }
      return file;
    },

    /** The id of the version that is public under a share id. Throws when there is none. */
    publicVersion: async (shareId: string): Promise<string> => (await stateOf('version', shareId)).id,

    /** Counts a flash of a public version. It is written within a second. */
    async report(shareId: string, report: FlashReport): Promise<void> {
      const { result = 'success', chip = '', errorCode = '' } = report ?? {};
      const { id } = await stateOf('version', shareId);
      await counts.add(id, { result, chip, errorCode });
    },
  };
}
