/** A file of a version or of one of its builds. */
import * as z from 'zod/mini';
import { Count, Uuid } from './fields.ts';

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
