/**
 * Flash content of a board on which the demo firmware has crashed: that firmware, and a core dump in ESP-IDF's
 * partition for it (ESP-IDF Programming Guide, "Core Dump", saving to flash).
 */
import { crashDump } from '../../chatty/crash/crash-dump.ts';
import type { EspFlashPart } from '../options.ts';
import { demoData, demoPlaces } from './demo-content.ts';
import { espFirmwareSet } from './firmware-set.ts';

const flashSize = 0x400000;

/** Returns the content for an ESP32 with 4 MiB of flash. */
export function crashedContent(): EspFlashPart[] {
  const text = 'I (312) main: reset by a panic, core dump kept in flash.\r\n';
  const firmware = espFirmwareSet({ chip: 'esp32', project: 'wirebench-demo', version: '2.0.0', text, flashSize });
  return [
    ...firmware.flatMap(({ offset, data }) => (offset === null ? [] : [{ offset, data }])),
    ...demoData(),
    { offset: demoPlaces.coreDump[0], data: crashDump('null').dump },
  ];
}
