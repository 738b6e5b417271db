/**
 * The USB drive of Adafruit's bootloader, which accepts .uf2 files and helps if the serial port does not
 * (Adafruit_nRF52_Bootloader, README and `src/boards/…/board.h`). Facts for a page only.
 */

/** File on the drive that names the board. */
export const uf2InfoFile = 'INFO_UF2.TXT';

/** Names of the drive (`UF2_VOLUME_LABEL` of each board). Other boards have other names. */
export const uf2Drives = [
  { label: 'FTHR840BOOT', board: 'Adafruit Feather nRF52840 Express' },
  { label: 'FTHRSNSBOOT', board: 'Adafruit Feather nRF52840 Sense' },
  { label: 'ITSY840BOOT', board: 'Adafruit ItsyBitsy nRF52840 Express' },
  { label: 'CPLAYBTBOOT', board: 'Adafruit Circuit Playground Bluefruit' },
  { label: 'CLUEBOOT', board: 'Adafruit CLUE' },
  { label: 'METR840BOOT', board: 'Adafruit Metro nRF52840 Express' },
  { label: 'XIAO-BOOT', board: 'Seeed XIAO nRF52840' },
  { label: 'XIAO-SENSE', board: 'Seeed XIAO nRF52840 Sense' },
  { label: 'NICENANO', board: 'nice!nano' },
  { label: 'MDBT50QBOOT', board: 'Raytac MDBT50Q-RX Dongle' },
  { label: 'NRF52BOOT', board: 'Nordic nRF52840 DK or Dongle' },
  { label: 'NANO33BOOT', board: 'Arduino Nano 33 BLE' },
] as const;
