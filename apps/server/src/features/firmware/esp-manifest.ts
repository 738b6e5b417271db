/** The manifest that ESP Web Tools installs from (https://esphome.github.io/esp-web-tools/, "Creating your manifest"). */
import { type EspManifest, type ProjectSummary, parseOffset, type Version } from '@wirebench/contract';

/** What the manifest calls a chip. */
const chipFamilies: Readonly<Record<string, string>> = {
  esp32: 'ESP32',
  esp32s2: 'ESP32-S2',
  esp32s3: 'ESP32-S3',
  esp32c6: 'ESP32-C6',
  esp32c3: 'ESP32-C3',
};

/** Null for other families: the tools install Espressif chips only. Paths are relative to the manifest's address. */
export function espManifest(project: ProjectSummary, { version, files }: Version): EspManifest | null {
  const chipFamily = chipFamilies[project.deviceModel];
  return chipFamily === undefined
    ? null
    : {
        name: project.name,
        version,
        new_install_prompt_erase: true,
        builds: [
          {
            chipFamily,
            parts: files.map(({ _id, offset }) => ({ path: `files/${_id}`, offset: parseOffset(offset) ?? 0 })),
          },
        ],
      };
}
