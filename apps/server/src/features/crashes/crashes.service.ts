/** Rules of reported crashes: for which versions, how many, and who may read them (decision 52). */
import type { Clock } from '@wirebench/clock';
import {
  type CrashAnswer,
  type CrashList,
  type CrashQuery,
  crashLimits,
  type NewCrashReport,
} from '@wirebench/contract';
import { type Actor, reaches } from '../../access/actor.ts';
import { ApiError } from '../../api-error.ts';
import type { CrashInbox } from './crash-inbox.ts';
import type { CrashId, CrashRepository } from './crashes.repository.ts';

export interface CrashServiceOptions {
  readonly crashes: CrashRepository;
  readonly inbox: Pick<CrashInbox, 'add' | 'settle'>;
  readonly clock: Clock;
  /** Returns the version that is public under a share id. Throws if nothing is public. */
  readonly publicVersion: (shareId: string) => Promise<string>;
  /** Returns the project of a version; null if there is no such version. */
  readonly projectOf: (versionId: string) => Promise<string | null>;
}

const DAY = 86_400_000;

/** Format of a fingerprint as clients calculate it. */
const FINGERPRINT = /^[\da-f]{16}$/;

export type CrashService = ReturnType<typeof crashService>;

export function crashService({ crashes, inbox, clock, publicVersion, projectOf }: CrashServiceOptions) {
  /**
   * Checks that the actor owns the version and that its token covers the project.
   *
   * @throws ApiError otherwise.
   */
  async function requireOwn(versionId: string, actor: Actor): Promise<void> {
    const isReached = reaches(actor, '') || reaches(actor, (await projectOf(versionId)) ?? '');
    if (!isReached || !(await crashes.isOwner(versionId, actor.user.subject))) {
      throw new ApiError('not-found');
    }
    await inbox.settle();
  }

  async function requireCrash(id: CrashId, actor: Actor): Promise<void> {
    if (!FINGERPRINT.test(id.fingerprint)) {
      throw new ApiError('not-found');
    }
    await requireOwn(id.versionId, actor);
  }

  return {
    /**
     * Returns the version behind a share link, as the target of a crash.
     *
     * @throws ApiError if the version has no owner who could read the crash.
     */
    async versionAt(shareId: string): Promise<string> {
      const versionId = await publicVersion(shareId);
      if (!(await crashes.hasReader(versionId))) {
        throw new ApiError('not-found');
      }
      return versionId;
    },

    /** Accepts a crash. It is written within a second. */
    receive: (versionId: string, report: NewCrashReport): Promise<void> => inbox.add(versionId, report),

    /** Accepts a crash of one of the caller's own versions, public or private. */
    async receiveOwn(versionId: string, actor: Actor, report: NewCrashReport): Promise<void> {
      await requireOwn(versionId, actor);
      await inbox.add(versionId, report);
    },

    async list(versionId: string, actor: Actor, { limit, skip }: CrashQuery): Promise<CrashList> {
      await requireOwn(versionId, actor);
      const [groups, total] = await Promise.all([crashes.page(versionId, limit, skip), crashes.count(versionId)]);
      return { crashes: groups, pagination: { total, limit, skip } };
    },

    async find(id: CrashId, actor: Actor): Promise<CrashAnswer['crash']> {
      await requireCrash(id, actor);
      const [group, examples] = await Promise.all([crashes.find(id), crashes.examples(id)]);
      if (group === null) {
        throw new ApiError('not-found');
      }
      return { ...group, examples };
    },

    /** Returns the core dump of an example. */
    async dump(id: CrashId, exampleId: string, actor: Actor): Promise<Buffer> {
      await requireCrash(id, actor);
      const memory = await crashes.memory(id, exampleId);
      if (memory === null) {
        throw new ApiError('not-found');
      }
      return Buffer.from(memory, 'base64');
    },

    async remove(id: CrashId, actor: Actor): Promise<void> {
      await requireCrash(id, actor);
      if (!(await crashes.remove(id))) {
        throw new ApiError('not-found');
      }
    },

    async removeAll(versionId: string, actor: Actor): Promise<void> {
      await requireOwn(versionId, actor);
      await crashes.removeAll(versionId);
    },

    /** Deletes crashes that have not occurred for `crashLimits.days`. */
    forgetOld: (): Promise<void> => crashes.forget(new Date(clock.wallTime() - crashLimits.days * DAY).toISOString()),
  };
}
