/** The firmware services of one process. Several instances may share a database and a file folder. */
import { join } from 'node:path';
import type { VirtualClock } from '@wirebench/clock';
import type { Version } from '@wirebench/contract';
import type { Actor } from '../access/actor.ts';
import { bytesRepository } from '../features/releases/bytes.repository.ts';
import { bytesService } from '../features/releases/bytes.service.ts';
import { elfRepository } from '../features/releases/elfs.repository.ts';
import { flashCountRepository } from '../features/releases/flash-counts.repository.ts';
import { FlashCounts } from '../features/releases/flash-counts.ts';
import { historyRepository } from '../features/releases/history.repository.ts';
import { pictureRepository } from '../features/releases/pictures.repository.ts';
import { projectRepository } from '../features/releases/projects.repository.ts';
import { projectService } from '../features/releases/projects.service.ts';
import { sharedRepository } from '../features/releases/shared.repository.ts';
import { sharedService } from '../features/releases/shared.service.ts';
import { versionRepository } from '../features/releases/versions.repository.ts';
import { versionService } from '../features/releases/versions.service.ts';
import type { BlobStore } from '../storage/blobs/blob-store.ts';
import { openFolderStore } from '../storage/blobs/folder-store.ts';
import { openSpool } from '../storage/blobs/spool.ts';
import type { Queries } from '../storage/database/database.ts';

export interface FirmwareServicesOptions {
  readonly queries: Queries;
  readonly folder: string;
  readonly clock: VirtualClock;
  /** Replaces the store in the folder. */
  readonly store?: BlobStore;
  readonly onGarbageLeft?: (error: unknown, keys: number) => void;
}

export async function firmwareServices({
  queries,
  folder,
  clock,
  store,
  onGarbageLeft = () => undefined,
}: FirmwareServicesOptions) {
  const spool = await openSpool(join(folder, 'incoming'), clock);
  const blobs = store ?? (await openFolderStore(join(folder, 'blobs')));
  const repository = bytesRepository(queries);
  const bytes = bytesService({ repository, store: blobs, spool, clock, onGarbageLeft });
  const shared = sharedRepository(queries);
  const flashes = flashCountRepository(queries);
  const counts = new FlashCounts({
    repository: flashes,
    clock,
    onFailure: (error) => {
      throw error;
    },
  });
  const versions = versionService({
    stillMay: async () => undefined,
    versions: versionRepository(queries),
    shared,
    elfs: elfRepository(queries),
    flashes,
    bytes,
    clock,
    limit: 3,
    maxBuilds: 8,
  });
  const projects = projectService({
    projects: projectRepository(queries),
    history: historyRepository(queries),
    bytes,
    clock,
    limit: 5,
  });

  return {
    spool,
    store: blobs,
    ledger: repository,
    bytes,
    versions,
    projects,
    shared: sharedService({
      pictures: pictureRepository(queries),
      repository: shared,
      counts,
      clock,
      contentVersion: () => null,
    }),
    counts,
    [Symbol.asyncDispose]: () => bytes[Symbol.asyncDispose](),

    /** Publishes a version with one file of these bytes. */
    async publish(actor: Actor, projectId: string, version: string, content: string): Promise<Version> {
      await using file = await spool.receive(
        (async function* () {
          yield Buffer.from(content);
        })(),
      );
      const form = { projectId, version, description: 'Notes', offsets: ['0x0'], console: null, acceptDamaged: [] };
      // Awaited here, because the file is deleted at the end of this block.
      return await versions.create(actor, form, [{ fileName: 'app.bin', bytes: file }]);
    },
  };
}

export function actorCalled(name: string): Actor {
  return {
    user: { subject: `subject-of-${name}`, username: name, name: null, email: null, picture: null, roles: [] },
    token: null,
  };
}
