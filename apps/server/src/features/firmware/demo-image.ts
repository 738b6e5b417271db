/**
 * The application of the demo release. A chip that runs it waits in a loop for ever; what it would say stands in its read-only
 * data, where a simulated ESP32 finds and prints it.
 */
import { appDescription, buildEspImage, DROM_ADDRESS, IRAM_ADDRESS } from './esp-image.ts';

/** Stands before the boot text, which ends with a NUL. */
export const BOOT_TEXT_MARK = 'wirebench-boot-text:';

/** Lines as a serial monitor shows them. */
export const demoBootText = [
  'I (24) boot: Wirebench demo 1.0.0',
  'I (31) boot: chip revision: v3.0',
  'I (38) boot.esp32: SPI Flash Size : 4MB',
  'I (52) cpu_start: Starting scheduler.',
  'I (60) demo: You have flashed this from a release link.',
  '',
].join('\r\n');

/** `j .`: a jump to itself (Xtensa Instruction Set Architecture, "J", offset -4). */
const LOOP_FOREVER = Uint8Array.of(0x06, 0xff, 0xff);

/** The same bytes each time. */
export function demoImage(): Uint8Array {
  const description = appDescription({
    version: '1.0.0',
    projectName: 'wirebench-demo',
    idfVersion: 'none',
    time: '12:00:00',
    date: 'Nov 20 2026',
  });
  const readOnly = Buffer.concat([description, Buffer.from(`${BOOT_TEXT_MARK}${demoBootText}\0`)]);
  return buildEspImage({
    entry: IRAM_ADDRESS,
    segments: [
      { address: DROM_ADDRESS, data: readOnly },
      { address: IRAM_ADDRESS, data: LOOP_FOREVER },
    ],
  });
}
