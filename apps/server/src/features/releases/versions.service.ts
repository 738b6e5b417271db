/**
 * Rules of versions and their files (docs/behaviour.md, "Releases"). Versions of other users are reported as not
 * found.
 */

import { open } from 'node:fs/promises';
import { familyBuilds, familyTraits } from '@wirebench/boards';
import type { Clock } from '@wirebench/clock';
import {
  buildText,
  type ConsoleSettings,
  type DescriptionChange,
  elfText,
  type FlashesAnswer,
  type FoundElf,
  type NewVersion,
  type ReleaseChannel,
  releaseText,
  tokenText,
  type Version,
} from '@wirebench/contract';
import type { ReleaseDevice } from '@wirebench/flasher/release';
import { type Actor, mayReplace, reaches } from '../../access/actor.ts';
import { ApiError, refusedField, requireFound } from '../../api-error.ts';
import { onDisk } from '../../storage/blobs/disk.ts';
import type { SpooledFile } from '../../storage/blobs/spooled-file.ts';
import { DatabaseUnavailableError } from '../../storage/database/database-failure.ts';
import type { BytesService } from './bytes.service.ts';
import type { ElfRepository } from './elfs.repository.ts';
import { readStoredFirmware } from './firmware-reader.ts';
import type { FlashCountRepository } from './flash-counts.repository.ts';
import { checkBuilds, checkFiles, isSimple, placeFiles, planBuilds, withOwnFirst } from './plan-builds.ts';
import { described, newShareId } from './projects.service.ts';
import type { SharedRepository } from './shared.repository.ts';
import type { ElfPlace, StoredFile } from './shared-item.ts';
import type { UploadedFile } from './upload-form.ts';
import type { ElfEdit, NewVersionRow, VersionEdit, VersionRefusal, VersionRepository } from './versions.repository.ts';

export interface VersionServiceOptions {
  readonly versions: VersionRepository;
  readonly shared: SharedRepository;
  readonly elfs: ElfRepository;
  readonly flashes: FlashCountRepository;
  readonly bytes: BytesService;
  readonly clock: Clock;
  /** Maximum number of versions of a project. */
  readonly limit: number;
  /** Maximum number of builds of a version. */
  readonly maxBuilds: number;
  /** Rejects if the actor may no longer publish: an upload can take minutes. */
  readonly stillMay: (actor: Actor) => Promise<void>;
}

/** The content of the form. Without `replaceOldest`, no version is deleted. */
type VersionToCreate = Omit<NewVersion, 'replaceOldest' | 'channel'> & {
  readonly replaceOldest?: boolean;
  readonly channel?: ReleaseChannel;
};

export type VersionService = ReturnType<typeof versionService>;

/**
 * Checks the header of an ELF file (System V ABI, "ELF Header"; all Espressif chips, STM32 and Nordic are 32 bits wide and
 * little-endian). It refuses files with which no crash can be decoded. Faults beyond the header are found when the
 * file is read.
 */

/** `e_type` and `e_machine`. */
const types = { executable: 2, core: 4 } as const;
const machines = { 94: 'Xtensa', 243: 'RISC-V', 40: 'Arm' } as const;
const AVR_MACHINE = 83;

/**
 * Checks that the file can decode crashes of boards of one of the families.
 *
 * @throws ApiError (400) with a sentence otherwise.
 */
async function checkElf(
  { fileName, bytes }: { readonly fileName: string; readonly bytes: Pick<SpooledFile, 'path'> },
  families: readonly ReleaseDevice['deviceFamily'][],
): Promise<void> {
  const head = await onDisk(() => readHead(bytes.path));
  const [type, machine] = [head.readUInt16LE(16), head.readUInt16LE(18)];
  // 0x7f ELF, 32 bits, little-endian, version 1.
  if (!head.subarray(0, 7).equals(Buffer.from('\x7fELF\x01\x01\x01', 'latin1'))) {
    throw refusedField('elf', elfText.notElf(fileName));
  }
  if (type !== types.executable) {
    throw refusedField('elf', type === types.core ? elfText.coreFile(fileName) : elfText.notElf(fileName));
  }
  if (machine === AVR_MACHINE) {
    throw refusedField('elf', elfText.avr(fileName));
  }
  if (!families.some((family) => familyBuilds[family].elfMachines.includes(machine))) {
    throw refusedField('elf', elfText.notForDevice(fileName, Reflect.get(machines, machine) ?? 'another processor'));
  }
}

/** Returns the first 20 bytes, with zeros after the end of a shorter file. */
async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(20);
    await handle.read(head, 0, head.length, 0);
    return head;
  } finally {
    await handle.close();
  }
}

export function versionService({
  versions,
  shared,
  elfs,
  flashes,
  bytes,
  clock,
  limit,
  maxBuilds,
  stillMay,
}: VersionServiceOptions) {
  const now = () => new Date(clock.wallTime()).toISOString();
  const edit = (id: string, actor: Actor): VersionEdit => ({ id, actor, at: now() });
  const elfEdit = (place: ElfPlace, actor: Actor): ElfEdit => ({ ...place, actor, at: now() });

  const refusalOf = (refusal: VersionRefusal, version: string): Error => {
    switch (refusal) {
      case 'not-found':
        return new ApiError('not-found');
      case 'version-taken':
        return new ApiError('version-taken', { message: releaseText.versionTaken(version) });
      case 'limit':
        return new ApiError('version-limit', { message: releaseText.versionLimit(limit) });
      case 'claims-lost':
        return new DatabaseUnavailableError({ cause: new Error('The claims of the upload have expired') });
    }
  };

  /**
   * Checks that the actor's token, if any, covers the project of the version.
   *
   * @throws ApiError otherwise.
   */
  async function requireReach(id: string, actor: Actor): Promise<void> {
    const isBound = actor.token !== null && actor.token.projectId !== null;
    if (isBound && !reaches(actor, (await versions.projectOf(id)) ?? '')) {
      throw new ApiError('not-found');
    }
  }

  /**
   * Returns the families of the boards that a version or one of its builds is for.
   *
   * @throws ApiError if the version is not the actor's, or has no such build.
   */
  async function ownFamilies(place: ElfPlace, actor: Actor): Promise<readonly ReleaseDevice['deviceFamily'][]> {
    await requireReach(place.id, actor);
    return requireFound(await versions.familiesOf(place, actor.user.subject));
  }

  type Checked = Pick<NewVersionRow, 'builds' | 'isSimple'>;

  /**
   * Checks the files of a new version, and that there is room for it.
   *
   * @throws ApiError for files that cannot be flashed.
   */
  async function check(actor: Actor, version: VersionToCreate, files: readonly UploadedFile[]): Promise<Checked> {
    const named = files.map(({ fileName, bytes: { size, sha256 } }) => ({ fileName, size, sha256 }));
    const { offsets, builds, acceptDamaged, projectId } = version;
    const findDevice = async () => {
      await precheck(actor, version);
      return requireFound(await versions.deviceOf(projectId, actor.user.subject));
    };
    if (builds !== undefined) {
      if (offsets.length > 0) {
        throw refusedField('offsets', buildText.noOffsets);
      }
      const planned = planBuilds(named, builds, maxBuilds);
      const { deviceModel } = await findDevice();
      const rows = await checkBuilds(files, withOwnFirst(planned, deviceModel), acceptDamaged);
      return { builds: rows, isSimple: isSimple(planned, deviceModel, named) };
    }
    const placed = placeFiles(named, offsets);
    const device = await findDevice();
    if (familyTraits[device.deviceFamily].hasPlacedFiles) {
      const whole = placed.map((_, index) => ({ index, offset: null }));
      await checkBuilds(files, [{ ...device, guards: {}, files: whole }], acceptDamaged);
    } else {
      const readings = await Promise.all(files.map((file) => readStoredFirmware(file.bytes)));
      checkFiles(
        placed.map((file, index) => ({ ...file, reading: readings[index] ?? null })),
        device,
        acceptDamaged,
      );
    }
    return { builds: [{ ...device, guards: {}, files: placed }], isSimple: true };
  }

  /**
   * Checks that there is room for such a version. Room may still disappear afterwards.
   *
   * @throws ApiError if there is no room.
   */
  async function precheck(
    actor: Actor,
    { projectId, version, replaceOldest = false }: Pick<VersionToCreate, 'projectId' | 'version' | 'replaceOldest'>,
  ) {
    if (!reaches(actor, projectId)) {
      throw new ApiError('not-found');
    }
    if (replaceOldest && !mayReplace(actor)) {
      throw new ApiError('token-not-allowed', { message: tokenText.mayNotReplace });
    }
    const refusal = await versions.refusal({ projectId, version, actor, replaceOldest }, limit);
    if (refusal !== null) {
      throw refusalOf(refusal, version);
    }
  }

  return {
    precheck,

    /** Lists the versions of one of the caller's projects, newest first. */
    async list(projectId: string, actor: Actor): Promise<Version[]> {
      return requireFound(reaches(actor, projectId) ? await versions.ofProject(projectId, actor.user.subject) : null);
    },

    /** Creates a private version. Its files are stored before the version refers to them. */
    async create(
      actor: Actor,
      version: VersionToCreate,
      files: readonly UploadedFile[],
      elf: UploadedFile | null = null,
    ): Promise<Version> {
      const { offsets: _offsets, builds: _builds, acceptDamaged: _accepted, ...rest } = version;
      const checked = await check(actor, version, files);
      if (elf !== null) {
        const device = requireFound(await versions.deviceOf(version.projectId, actor.user.subject));
        await checkElf(elf, [device.deviceFamily, ...checked.builds.map(({ deviceFamily }) => deviceFamily)]);
      }
      await stillMay(actor);
      const created = await bytes.hold(
        [...files, ...(elf === null ? [] : [elf])].map((file) => file.bytes),
        async (uploadId) => {
          const program = elf === null ? null : elfRow(elf);
          const row = { ...rest, actor, shareId: newShareId(), at: now(), ...checked, elf: program, uploadId };
          const result = await versions.insert(row, limit);
          if (typeof result === 'string') {
            throw refusalOf(result, version.version);
          }
          return result;
        },
      );
      if (version.replaceOldest === true) {
        bytes.clean();
      }
      return created;
    },

    async describe(id: string, actor: Actor, change: DescriptionChange): Promise<Version> {
      await requireReach(id, actor);
      return described(await versions.describe(edit(id, actor), change));
    },

    async setConsole(id: string, actor: Actor, console: ConsoleSettings | null): Promise<Version> {
      await requireReach(id, actor);
      return requireFound(await versions.setConsole(edit(id, actor), console));
    },

    async setChannel(id: string, actor: Actor, channel: ReleaseChannel): Promise<Version> {
      await requireReach(id, actor);
      return requireFound(await versions.setChannel(edit(id, actor), channel));
    },

    /** Sets the visibility, or inverts it if `isPublic` is undefined. The project has to be public. */
    async toggle(id: string, actor: Actor, isPublic: boolean | undefined): Promise<Version> {
      await requireReach(id, actor);
      if (actor.token !== null && actor.token.projectId !== null && isPublic !== true) {
        throw new ApiError('token-not-allowed');
      }
      const version = requireFound(await versions.setPublic(edit(id, actor), isPublic ?? null));
      if (version === 'project-private') {
        throw new ApiError('versions-not-visible');
      }
      return version;
    },

    /** Returns the id of the share link, the same each time. */
    async share(id: string, actor: Actor): Promise<string> {
      await requireReach(id, actor);
      const { shareId, isPublic, isProjectPublic } = requireFound(await versions.sharingOf(id, actor.user.subject));
      if (!isProjectPublic) {
        throw new ApiError('project-not-public');
      }
      if (!isPublic) {
        throw new ApiError('version-not-public');
      }
      return shareId;
    },

    /** Deletes a version with its files, unless another version has the same bytes. */
    async remove(id: string, actor: Actor): Promise<void> {
      if (!(await versions.remove(edit(id, actor)))) {
        throw new ApiError('not-found');
      }
      bytes.clean();
    },

    async file(id: string, fileId: string, actor: Actor): Promise<StoredFile> {
      await requireReach(id, actor);
      return requireFound(await shared.ownFile(id, fileId, actor.user.subject));
    },

    /**
     * Checks that the actor has such a version or build, before an ELF file is uploaded.
     *
     * @throws ApiError if there is none.
     */
    precheckElf: async (place: ElfPlace, actor: Actor): Promise<void> => void (await ownFamilies(place, actor)),

    /** Sets the ELF file of a version or of one of its builds, or replaces it. */
    async setElf(place: ElfPlace, actor: Actor, elf: UploadedFile): Promise<Version> {
      await checkElf(elf, await ownFamilies(place, actor));
      await stillMay(actor);
      const version = await bytes.hold([elf.bytes], async (uploadId) => {
        const result = requireFound(await versions.setElf(elfEdit(place, actor), elfRow(elf), uploadId));
        if (typeof result === 'string') {
          throw refusalOf(result, '');
        }
        return result;
      });
      bytes.clean();
      return version;
    },

    async removeElf(place: ElfPlace, actor: Actor): Promise<Version> {
      await ownFamilies(place, actor);
      const version = requireFound(await versions.removeElf(elfEdit(place, actor)));
      bytes.clean();
      return version;
    },

    async elf({ id, buildId }: ElfPlace, actor: Actor): Promise<StoredFile> {
      await requireReach(id, actor);
      return requireFound(await elfs.ofVersion(id, buildId, actor.user.subject));
    },

    /**
     * Returns the newest of the caller's versions whose ELF file has this hash; null without a match.
     *
     * @param sha256 The first digits of the hash.
     */
    findElf: (sha256: string, actor: Actor): Promise<FoundElf['elf']> => elfs.byHash(sha256, actor.user.subject),

    async flashes(id: string, actor: Actor): Promise<FlashesAnswer['flashes']> {
      await requireReach(id, actor);
      const counts = requireFound(await flashes.ofVersion(id, actor.user.subject));
      const builds = await flashes.ofBuilds(id);
      const total = (wanted: 'success' | 'failure') =>
        counts.reduce((sum, { result, count }) => (result === wanted ? sum + count : sum), 0);
      return {
        successes: total('success'),
        failures: total('failure'),
        counts: counts.map(({ result, chip, errorCode, count }) => ({
          result,
          chip: chip === '' ? null : chip,
          errorCode: errorCode === '' ? null : errorCode,
          count,
        })),
        ...(builds.length === 0 ? {} : { builds }),
      };
    },
  };
}

function elfRow({ fileName, bytes: { size, sha256 } }: UploadedFile) {
  return { fileName, size, sha256 };
}
