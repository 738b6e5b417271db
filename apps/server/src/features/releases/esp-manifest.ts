/**
 * The manifest that ESP Web Tools installs from (https://esphome.github.io/esp-web-tools/, "Creating your manifest").
 */
import { deviceModelName, type EspManifest, type ProjectSummary, parseOffset, type Version } from '@wirebench/contract';

/**
 * Returns the manifest; paths are relative to its address. Returns null for other families, because the tools install
 * Espressif chips only, and for a demo, which they would write to a real chip.
 */
export function espManifest(project: ProjectSummary, { version, files }: Version): EspManifest | null {
  return project.deviceFamily !== 'esp' || project.demo
    ? null
    : {
        name: project.name,
        version,
        new_install_prompt_erase: true,
        builds: [
          {
            chipFamily: deviceModelName(project.deviceModel),
            parts: files.map(({ _id, offset }) => ({ path: `files/${_id}`, offset: parseOffset(offset) ?? 0 })),
          },
        ],
      };
}
