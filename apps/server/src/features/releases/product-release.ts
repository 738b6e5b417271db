/**
 * Publishes the releases that come with the product. Each is one public project with a fixed share id, created by the
 * first server that starts and replaced by a newer version of the product.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '@wirebench/clock';
import type { Spool } from '../../storage/blobs/spool.ts';
import type { SpooledFile } from '../../storage/blobs/spooled-file.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import type { BytesService } from './bytes.service.ts';
import type { ProductReleaseRepository, ProductReleaseRow, StoredRelease } from './product-releases.repository.ts';

export interface ProductFile {
  readonly fileName: string;
  /** Offset in flash, in bytes. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface ProductRelease extends Omit<ProductReleaseRow, 'files' | 'at' | 'uploadId'> {
  /** Numbers separated by points: a higher version replaces a lower one. */
  readonly version: string;
  /** Ordered by address. */
  readonly files: readonly ProductFile[];
}

export interface ProductReleaseOptions {
  readonly repository: ProductReleaseRepository;
  readonly bytes: BytesService;
  readonly spool: Spool;
  readonly clock: Clock;
}

/** Creates the release or replaces an older one. Does nothing if the same or a newer release exists. */
export async function ensureProductRelease(
  release: ProductRelease,
  { repository, bytes, spool, clock }: ProductReleaseOptions,
): Promise<void> {
  const hashes = release.files.map((file) => createHash('sha256').update(file.bytes).digest('hex'));
  const isWanted = (stored: StoredRelease | null) => {
    const order = stored === null ? 1 : compareVersions(release.version, stored.version);
    return order > 0 || (order === 0 && !isDeepStrictEqual(stored?.hashes, hashes));
  };
  if (!isWanted(await repository.read(release))) {
    return;
  }
  await using spooled = new AsyncDisposableStack();
  const held: SpooledFile[] = [];
  for (const file of release.files) {
    held.push(spooled.use(await spool.receive(oneChunk(file.bytes))));
  }
  await bytes.hold(held, async (uploadId) => {
    const at = new Date(clock.wallTime()).toISOString();
    const files = release.files.map(({ fileName, offset, bytes: { length } }, index) => ({
      fileName,
      offset,
      sha256: hashes[index] ?? '',
      size: length,
    }));
    if (!(await repository.replace({ ...release, files, at, uploadId }, isWanted))) {
      throw new DatabaseUnavailableError({
        cause: new Error(`The claims of the files of ${release.name} have expired`),
      });
    }
  });
  bytes.clean();
}

/** Returns a positive number if `one` is the higher version. Parts that are not numbers count as 0. */
function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10) || 0));
  const count = Math.max(left?.length ?? 0, right?.length ?? 0);
  for (let index = 0; index < count; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

async function* oneChunk(bytes: Uint8Array) {
  yield bytes;
}
