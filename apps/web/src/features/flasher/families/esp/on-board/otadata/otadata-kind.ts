/** OTA data, which select the app that the bootloader starts. */
import { isOtaData } from '@wirebench/flasher/esp';
import type { PartitionKind } from '../partition-view.ts';

export const otadataKind: PartitionKind = {
  shows: isOtaData,
  describe: () => null,
  summary: () => null,
  load: async () => (await import('./otadata-view.tsx')).OtadataView,
};
