/** Schemas of the builds of a version and of their files, as they are answered. */

import { type DeviceModel, familyIds, modelsOf } from '@wirebench/boards';
import * as z from 'zod/mini';
import { buildConnections } from './build-rules.ts';
import { Count, Uuid } from './fields.ts';

export const Family = z.enum(familyIds, `Device family must be one of ${familyIds.join(', ')}`);
export const Model = z.enum(familyIds.flatMap((family) => [...modelsOf(family)]) as DeviceModel[]);

const sizeText = 'flashSize must be a number of bytes';
const revisionText = 'minRevision must be major * 100 + minor, such as 301 for v3.1';

/** Conditions that a board has to meet for a build. A build without conditions is for all boards with its chip. */
export const BuildGuards = z.strictObject(
  {
    /** Least flash in bytes. */
    flashSize: z.optional(z.int(sizeText).check(z.minimum(1, sizeText), z.maximum(2 ** 32, sizeText))),
    /** True: with PSRAM. False: without. */
    psram: z.optional(z.boolean('psram must be true or false')),
    /** Least revision of the chip: major * 100 + minor, as in the header of an Espressif image. */
    minRevision: z.optional(z.int(revisionText).check(z.minimum(0, revisionText), z.maximum(65_535, revisionText))),
    connection: z.optional(z.enum(buildConnections, `connection must be one of ${buildConnections.join(', ')}`)),
  },
  'guards must be an object with flashSize, psram, minRevision or connection',
);
export type BuildGuards = z.infer<typeof BuildGuards>;

/**
 * `offset` is the flash offset in hex with `0x`. For a format with its own addresses it is the lowest address of the
 * file, or `0x0` if that is unknown. `size` is in bytes, `sha256` is lower-case hex.
 */
export const FirmwareFile = z.object({
  _id: Uuid,
  fileName: z.string(),
  size: Count,
  offset: z.string(),
  sha256: z.string(),
});
export type FirmwareFile = z.infer<typeof FirmwareFile>;

/** An ELF file of a version or build. `size` is in bytes, `sha256` is lower-case hex. */
export const ElfFile = z.object({ fileName: z.string(), size: Count, sha256: z.string() });
export type ElfFile = z.infer<typeof ElfFile>;

/**
 * The program of a version for one kind of board. `writeCount` is the number of successful flashes that were reported
 * for it. Only the owner gets `elf` and `crashes` (the number of crashes sent).
 */
export const Build = z.object({
  _id: Uuid,
  deviceFamily: Family,
  deviceModel: Model,
  guards: BuildGuards,
  files: z.array(FirmwareFile),
  writeCount: Count,
  elf: z.optional(ElfFile),
  crashes: z.optional(Count),
});
export type Build = z.infer<typeof Build>;
