/** The text of the fifteen guidance topics: what happened and what to do, the likeliest cause first. */
import { type GuidanceTopic, guidanceTopics } from '@wirebench/contract/constants';
import type { ReactNode } from 'react';
import { detectChoice } from '../../../features/flasher/families/esp/write/flash-choices.ts';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { Guidance } from '../docs-parts.tsx';
import { serialBrowsers } from '../serial-browsers.ts';

const texts = {
  'connection-timeout': (
    <Guidance
      what="The board did not answer in time."
      steps={[
        'Check that this is the right port: unplug the board and see which one disappears.',
        'Try another cable. A charge-only cable looks the same.',
        <>
          Put the board into its bootloader by hand: hold <Kbd>BOOT</Kbd>, press <Kbd>EN</Kbd>, release both, and
          connect again.
        </>,
        'Choose a lower baud rate.',
        'Disconnect anything else that is wired to the TX and RX pins.',
      ]}
    />
  ),
  'permission-denied': (
    <Guidance
      what="The system or the browser does not let this page use the port."
      steps={[
        'Pick the port again and allow it in the browser’s dialog.',
        <>
          Linux: your account must be in the group that owns the port, usually <code>dialout</code> or <code>uucp</code>
          . Add it, then log out and in again.
        </>,
        'Linux: a browser that was installed as a snap or flatpak may not see the port at all. Install it as a package.',
        'Managed computers: an administrator may have disabled serial ports for browsers.',
        'STM32 over USB: Windows needs the WinUSB driver for “STM32 BOOTLOADER”; Linux needs a udev rule for your account. The site settings have a separate permission for USB devices.',
      ]}
    />
  ),
  'device-not-found': (
    <Guidance
      what="The board is not in the browser’s list."
      steps={[
        'Use a cable that carries data, and plug it into the computer itself instead of a hub.',
        'Install the driver of the board’s USB bridge (CP210x, CH340, CH341, CH9102, FTDI).',
        'On chips with built-in USB, hold BOOT while plugging in.',
        'Check your system’s list of devices: what is missing there cannot appear in the browser either.',
      ]}
    />
  ),
  'port-access-denied': (
    <Guidance
      what="Another program or tab has the port open, and only one can."
      steps={[
        'Close serial monitors: Arduino IDE, PlatformIO, ESP-IDF monitor, screen, minicom, PuTTY.',
        'Close other tabs that use the board. A Wirebench tab says so when it has the board open.',
        'Programs for 3D printers and modems (ModemManager on Linux) open ports on their own: stop them.',
        'Unplug the board, plug it in again, and connect.',
      ]}
    />
  ),
  'flash-write-failed': (
    <Guidance
      what="The chip reported that it could not write."
      steps={[
        'Try again: verified regions are skipped.',
        'Choose a lower baud rate and a shorter cable.',
        'Check the power supply: flash draws the most current while it is erased.',
        'If it fails at the same address each time, the flash chip is damaged or write-protected.',
      ]}
    />
  ),
  'verification-failed': (
    <Guidance
      what="The data in flash is not what was sent. The flasher rewrites such a region before it gives up."
      steps={[
        'Choose a lower baud rate.',
        'Check the power supply and the cable.',
        'Check the flash mode: a chip that is wired for DIO cannot be read in QIO.',
        'If it fails at the same address each time, the flash chip is damaged.',
      ]}
    />
  ),
  'invalid-address': (
    <Guidance
      what="An address is not valid or not at the start of a sector, or two files overlap."
      steps={[
        'Write addresses in hexadecimal with the 0x prefix, such as 0x10000.',
        'Flash is erased in sectors of 4 KB: an address ends in 000.',
        'Compare with the layout of your chip, or drop the build’s own list of files on the page.',
      ]}
    />
  ),
  'file-too-large': (
    <Guidance
      what="The file extends beyond the end of the flash or of its partition."
      steps={[
        'Check the address.',
        'Build with a partition table that has a larger application partition.',
        'Make the firmware smaller: optimise for size and leave out unused parts.',
        'Use a board with more flash.',
      ]}
    />
  ),
  'wrong-chip-type': (
    <Guidance
      what="The firmware was built for a different chip from the one on this board. Nothing was erased."
      steps={[
        'Pick the file for this chip: builds for ESP32, S2, S3 and C3 are all different.',
        'Set the target of your build to the chip that the page shows, and build again.',
        'Several boards plugged in? Check that you picked the right one.',
      ]}
    />
  ),
  'flash-size-mismatch': (
    <Guidance
      what="The firmware is set up for a different flash size from the one on this board."
      steps={[
        `Choose the size of this board in the flash settings, or “${detectChoice}”.`,
        'Set this size in your build, so that the partition table fits too.',
        'A setting smaller than the real size is harmless; with a larger one the board does not start.',
      ]}
    />
  ),
  'boot-mode-required': (
    <Guidance
      what="The board started its own program instead of its bootloader."
      steps={[
        <>
          Hold <Kbd>BOOT</Kbd> (also marked IO0 or FLASH), press and release <Kbd>EN</Kbd> (also marked RST), then
          release <Kbd>BOOT</Kbd>. Connect again within a few seconds.
        </>,
        'Without buttons: connect IO0 to ground while the board starts (on C3, C6 and H2 it is IO9).',
        'If this only works by hand, the board has no auto-reset circuit, or no capacitor on EN.',
      ]}
    />
  ),
  'brown-out-reset': (
    <Guidance
      what="The supply voltage dropped and the chip restarted."
      steps={[
        'Use a shorter or thicker cable, and a port on the computer itself or a powered hub.',
        'Disconnect anything that draws current: motors, relays, LED strips, displays.',
        'Power the board from its own supply, with the grounds connected.',
      ]}
    />
  ),
  'serial-access-blocked': (
    <Guidance
      what="This browser, or this page, cannot use serial ports."
      steps={[
        `Use ${serialBrowsers}, on a computer. Safari and most phones have no serial ports.`,
        'Open the page over https or from localhost: browsers hide serial ports from pages served over plain http.',
        'Check the site settings (the icon beside the address): serial ports may be blocked there.',
        'On managed computers a policy may block them.',
      ]}
    />
  ),
  'extension-conflicts': (
    <Guidance
      what="Something in the browser changes or blocks the page."
      steps={[
        'Open the page in a private window, where extensions are usually off.',
        'Switch off extensions that block scripts or change pages, one by one.',
        'Extensions that talk to serial ports themselves may hold the board: close them.',
      ]}
    />
  ),
  'memory-errors': (
    <Guidance
      what="The browser or the chip ran out of memory."
      steps={[
        'In the browser: choose a smaller buffer in the settings of the port, and close tabs that you do not need.',
        'Record to disk instead of keeping everything in the buffer.',
        'On the chip: a crash with “heap” or “stack” in it is a bug in the firmware. Drop its ELF file on the terminal to see where.',
      ]}
    />
  ),
} satisfies Record<GuidanceTopic, ReactNode>;

export const guidance: DocsGroup = {
  name: 'When something fails',
  sections: Object.entries(guidanceTopics).map(([topic, title]) => ({
    id: topic,
    title,
    body: texts[topic as GuidanceTopic],
  })),
};
