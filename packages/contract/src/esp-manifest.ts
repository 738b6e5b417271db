/** Manifest of a version, for ESP Web Tools and for readers that know more families. */
import * as z from 'zod/mini';
import { BuildGuards, Family, Model } from './builds.ts';
import { Count, Uuid } from './fields.ts';

/**
 * A file in a manifest. `path` is relative to the manifest's address. `offset` is as in `FirmwareFile`, `size` is in
 * bytes.
 */
const ManifestFile = z.object({
  path: z.string(),
  fileName: z.string(),
  offset: z.string(),
  size: Count,
  sha256: z.string(),
});

/** A build in a manifest, of any family. `_id` is what a flash report names; missing for a version without builds. */
const ManifestBuild = z.object({
  _id: z.optional(Uuid),
  deviceFamily: Family,
  deviceModel: Model,
  guards: BuildGuards,
  files: z.array(ManifestFile),
});

/**
 * Manifest for ESP Web Tools (https://esphome.github.io/esp-web-tools/). Paths are relative to the manifest's
 * address. `builds` has what those tools can write: builds of `.bin` files for Espressif chips, without guards or with
 * one on the connection (`serialType`).
 *
 * `wirebench` has every build, for readers that know it; ESP Web Tools ignores it. It is missing for a version of the
 * simple form for one of the specified models.
 */
export const EspManifest = z.object({
  name: z.string(),
  version: z.string(),
  new_install_prompt_erase: z.boolean(),
  builds: z.array(
    z.object({
      chipFamily: z.string(),
      serialType: z.optional(z.enum(['cdc', 'uart'])),
      parts: z.array(z.object({ path: z.string(), offset: Count })),
    }),
  ),
  wirebench: z.optional(
    z.object({
      publisher: z.string(),
      /** Share ID of the version, by which flashes and crashes are reported. */
      shareId: z.string(),
      builds: z.array(ManifestBuild),
    }),
  ),
});
export type EspManifest = z.infer<typeof EspManifest>;
