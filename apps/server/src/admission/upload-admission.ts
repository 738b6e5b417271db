/** Admits uploads: a few for each user, a limited number in all, and only as many as fit on the disk. */
import { ApiError } from '../api-error.ts';
import type { UploadLimits } from '../config.ts';
import { DiskRoom, type Room } from '../storage/disk-room.ts';

/** Seconds. An upload takes seconds; a full disk takes longer to free. */
const RETRY_AFTER = { upload: 10, disk: 60 };

export interface UploadAdmissionOptions {
  readonly limits: UploadLimits;
  /** Returns the free bytes of the disk that uploads are written to. */
  readonly freeBytes: () => Promise<number>;
}

export class UploadAdmission {
  readonly #limits: UploadLimits;
  readonly #room: DiskRoom;
  readonly #ofUser = new Map<string, number>();
  #inProgress = 0;

  constructor({ limits, freeBytes }: UploadAdmissionOptions) {
    this.#limits = limits;
    this.#room = new DiskRoom({ reserve: limits.diskReserve, freeBytes });
  }

  get inProgress(): number {
    return this.#inProgress;
  }

  /**
   * Reserves a place for an upload of `user` with at most `bytes`, until the returned room is disposed.
   *
   * @throws ApiError if there is no place. The caller should then read nothing of the upload.
   */
  async admit(user: string, bytes: number): Promise<Room> {
    const ofUser = this.#ofUser.get(user) ?? 0;
    if (ofUser >= this.#limits.perUser) {
      throw new ApiError('too-many-uploads', { retryAfter: RETRY_AFTER.upload });
    }
    if (this.#inProgress >= this.#limits.inAll) {
      throw new ApiError('uploads-busy', { retryAfter: RETRY_AFTER.upload });
    }
    // Counted before the first await, so that simultaneous uploads see each other.
    this.#ofUser.set(user, ofUser + 1);
    this.#inProgress++;
    using stack = new DisposableStack();
    stack.defer(() => this.#leave(user));
    const room = await this.#room.take(bytes);
    if (room === null) {
      throw new ApiError('disk-space-low', { retryAfter: RETRY_AFTER.disk });
    }
    stack.use(room);
    const place = stack.move();
    return { use: (written) => room.use(written), [Symbol.dispose]: () => place.dispose() };
  }

  #leave(user: string): void {
    const ofUser = this.#ofUser.get(user) ?? 0;
    if (ofUser <= 1) {
      this.#ofUser.delete(user);
    } else {
      this.#ofUser.set(user, ofUser - 1);
    }
    this.#inProgress--;
  }
}
