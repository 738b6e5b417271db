/**
 * Words for a person who closed the browser's list of boards without a choice, mostly because the board was not in it:
 * the causes in the order of their frequency. Every tool and the flash button say the same.
 */
import type { OperatingSystem } from './browser-support.ts';

/**
 * The browser's list: of serial ports, of USB devices in a bootloader, or on a phone of USB devices with a serial port.
 * `portless`: the chosen device has no serial port.
 */
export type BoardList = 'serial' | 'usb' | 'adapters' | 'portless';

/** System whose causes are shown. Chromebooks and others get those of Linux. */
export type CauseSystem = Exclude<OperatingSystem, 'other'> | 'phone';

/** The systems to choose from. A phone has no other. */
export const causeSystems: readonly { readonly value: CauseSystem; readonly label: string }[] = [
  { value: 'windows', label: 'Windows' },
  { value: 'mac', label: 'macOS' },
  { value: 'linux', label: 'Linux' },
];

/** @param isPhone True: a phone or a tablet. */
export const causeSystemOf = (system: OperatingSystem, isPhone: boolean): CauseSystem =>
  isPhone ? 'phone' : system === 'other' ? 'linux' : system;

export interface MissingBoardCause {
  readonly title: string;
  /** One or two sentences. */
  readonly text: string;
  /** Commands for a terminal. */
  readonly commands?: readonly string[];
  /** Pages of vendors. */
  readonly links?: readonly { readonly label: string; readonly href: string }[];
  /** Names that the list may have for a board. */
  readonly names?: readonly string[];
}

export const missingBoardText = {
  title: 'No board was chosen',
  text: 'If yours was not in the list, it is nearly always one of these three.',
} as const;

/** Returns the heading and the first sentence for a list and a system. */
export function missingBoardHead(
  list: BoardList,
  system: CauseSystem,
): { readonly title: string; readonly text: string } {
  if (list === 'portless') {
    return {
      title: 'This device has no serial port',
      text: 'Choose the adapter or the board itself. A board that waits in its bootloader starts its program with its reset button.',
    };
  }
  return system === 'phone'
    ? { title: missingBoardText.title, text: 'If yours was not in the list, check these four, in this order.' }
    : missingBoardText;
}

const cable: MissingBoardCause = {
  title: 'The cable carries power only',
  text: 'Take the one with which you copy pictures from a phone. Plug it straight into the computer.',
};

/** Driver pages of the vendors. */
const drivers = {
  ch340: { label: 'CH340, CH9102', href: 'https://www.wch-ic.com/downloads/CH341SER_EXE.html' },
  cp2102: { label: 'CP2102', href: 'https://www.silabs.com/software-and-tools/usb-to-uart-bridge-vcp-drivers' },
  ftdi: { label: 'FT232', href: 'https://ftdichip.com/drivers/vcp-drivers/' },
} as const;

const serialAccess: Readonly<Record<Exclude<CauseSystem, 'phone'>, MissingBoardCause>> = {
  windows: {
    title: 'Windows has no driver for it',
    text: 'Look at the small chip beside the USB socket, and install its driver.',
    links: [drivers.ch340, drivers.cp2102, drivers.ftdi],
  },
  mac: {
    title: 'macOS has not let it connect',
    text: 'Answer “Allow” when macOS asks for the accessory: System Settings, Privacy & Security, Allow accessories to connect. An old driver that was installed by hand can hide the port.',
    links: [drivers.ch340, drivers.cp2102],
  },
  linux: {
    title: 'Your account may not use serial ports',
    text: 'Add it to the group dialout (Arch Linux: uucp), then log out and in again. A Chromium from the snap store needs the second command. brltty takes CH340 and CP2102 for a braille display: remove it.',
    commands: ['sudo usermod -aG dialout $USER', 'sudo snap connect chromium:raw-usb', 'sudo apt remove brltty'],
  },
};

const usbAccess: Readonly<Record<Exclude<CauseSystem, 'phone'>, MissingBoardCause>> = {
  windows: {
    title: 'Windows has no WinUSB driver for it',
    text: 'Give the device “STM32 BOOTLOADER” the driver WinUSB with the program Zadig.',
    links: [{ label: 'Zadig', href: 'https://zadig.akeo.ie/' }],
  },
  mac: {
    title: 'macOS has not let it connect',
    text: 'Answer “Allow” when macOS asks for the accessory: System Settings, Privacy & Security, Allow accessories to connect.',
  },
  linux: {
    title: 'Your account may not use the USB device',
    text: 'Allow it with a udev rule, then plug the board in again. A Chromium from the snap store needs the second command.',
    commands: [
      'echo \'SUBSYSTEM=="usb", ATTR{idVendor}=="0483", ATTR{idProduct}=="df11", TAG+="uaccess"\' | sudo tee /etc/udev/rules.d/70-stm32-dfu.rules',
      'sudo snap connect chromium:raw-usb',
    ],
  },
};

/** An adapter that cannot be claimed, on a phone. */
export const heldByPhone: MissingBoardCause = {
  title: 'The phone itself holds the adapter',
  text: 'Close other apps that use it, then unplug the adapter and plug it in again. If Android asks which app opens it, close that question.',
};

/** The causes on a phone: from the cable to the phone's own system. */
const phoneCauses: readonly MissingBoardCause[] = [
  {
    title: 'The cable carries power only',
    text: 'Take one that has copied pictures from a phone. Many that come with a charger carry no data.',
  },
  {
    title: 'The phone is not the host',
    text: 'Plug a USB OTG adapter into the phone, and the cable of the board into that. Some phones have a switch for OTG in their settings.',
  },
  {
    title: 'The phone does not power the board',
    text: 'A board with a display, motors or an empty battery needs more than a phone gives. Put a USB hub with its own supply between them.',
  },
  heldByPhone,
];

/** Returns the causes for a list and a system, the most frequent first: three, and four on a phone. */
export function missingBoardCauses(list: BoardList, system: CauseSystem): readonly MissingBoardCause[] {
  if (list === 'portless') {
    return [];
  }
  if (system === 'phone') {
    return phoneCauses;
  }
  return list !== 'usb'
    ? [
        cable,
        serialAccess[system],
        {
          title: 'The board has to be told',
          text: 'Hold the button BOOT (or 0) while you plug it in, then let go. On an Arduino, press RESET twice. In the list it is called, for example:',
          names: ['USB JTAG/serial debug unit', 'CP2102 USB to UART Bridge', 'USB-SERIAL CH340'],
        },
      ]
    : [
        cable,
        usbAccess[system],
        {
          title: 'The board has to be told',
          text: 'Hold BOOT0 while you press and release RESET, or set the jumper BOOT0 to 1 and plug it in. In the list it is called, for example:',
          names: ['STM32 BOOTLOADER', 'DFU in FS Mode'],
        },
      ];
}
