/**
 * Defaults, tables and words of one family that the shared parts of the page show. Components of a single family are
 * in its feature, which puts them into the page.
 */
import type { FamilyId } from '@wirebench/boards';
import type { GuidanceTopic } from '@wirebench/contract/constants';
import type { BootVerdict, FailureText } from '@wirebench/flasher/core';
import type { BoardFacts } from '@wirebench/flasher/release/builds';
import type { ComponentType } from 'react';
import type { DemoFile } from '../../hardware/demo-device.ts';
import type { UsbFilter } from '../../hardware/web-usb.ts';
import type { FlashSource } from '../../protocol/usb-source.ts';
import type { ConnectedBoard, OwnSettings } from '../../workbench/families.ts';

export interface PageFamily {
  readonly name: FamilyId;
  /** Settings when the page opens. */
  readonly settings: OwnSettings;
  /** Returns in one or two words each what differs from these settings: `DIO`, `Whole flash`. */
  readonly settingTags: (own: OwnSettings) => readonly string[];
  /** The settings in which everything is erased before a write. Missing: the family has no such setting. */
  readonly erasing?: {
    readonly isAll: (own: OwnSettings) => boolean;
    readonly choose: (own: OwnSettings, all: boolean) => OwnSettings;
  };
  /** Rates for flashing, in baud, ascending. `baudRate` is the default. */
  readonly baudRates: readonly number[];
  readonly baudRate: number;
  readonly monitorBaudRates: readonly number[];
  /** Rate of the monitor when the page opens, in baud. Missing: 115,200. */
  readonly monitorBaudRate?: number;
  /** Simulated boards. The first one has a button of its own. */
  readonly demos: readonly [DemoBoard, ...DemoBoard[]];
  /**
   * Returns firmware for users with a simulated board and no file: all that this board needs to start, even with
   * empty flash.
   */
  readonly demoFirmware: (board: ConnectedBoard) => Promise<readonly DemoFile[]>;
  /** Selects boards whose bootloader is a USB device and not a serial port. Missing: the family has no such boards. */
  readonly usbDevices?: readonly UsbFilter[];
  /** Lets the person pick the drive of a board in its bootloader. Missing: boards have none, or the browser cannot open it. */
  readonly pickDrive?: (() => Promise<FileSystemDirectoryHandle | null>) | undefined;
  readonly addresses: AddressRule;
  /** The two ways of the start page, side by side. */
  readonly starts: readonly [StartWay, StartWay];
  /** Returns the facts by which the build of a release is chosen for a board. */
  readonly buildFacts: (board: ConnectedBoard) => BoardFacts;
  /** Texts of all failures, by code. */
  readonly failures: Readonly<Record<string, FailureText>>;
  /** Guidance topics by code of a failure or a finding. Missing or null: the documentation has nothing to add. */
  readonly topics: Readonly<Record<string, GuidanceTopic | null>>;
  /** Texts for the steps of a connection. */
  readonly steps: Readonly<Record<string, string>>;
  /** Reads from the monitor's text how the program of a board has started. */
  readonly readStart: (text: string) => BootVerdict;
  /** True: a board that a person has put into its bootloader can only be restarted by a person. */
  readonly restartsByHand?: boolean;
  /**
   * Way in which a backup is put back. `set`: a dialog that opens backups and checks them against the board. `file`: as any
   * other file, with the address in its name. Missing: its bootloader cannot read flash, so there are no backups.
   */
  readonly restore?: 'set' | 'file';
  /** True: programs may offer to set up Wi-Fi, so the page asks them after a write. */
  readonly hasWifi?: true;
  /** True: its plans find files of MicroPython and CircuitPython, and save them. Missing: a person does, in the terminal. */
  readonly savesFiles?: true;
  /** True: the bootloader tells something of what is in flash. Missing: every bootloader does. */
  readonly tellsContents?: (board: ConnectedBoard) => boolean;
  /** Dialog that makes a file system from a folder. Missing: the family has no partitions. */
  readonly folderImage?: ComponentType<FolderImageProps>;
  readonly words: FamilyWords;
}

/** A way to a board as it comes out of the box. `port`: the main button. `usb`: its bootloader is a USB device. `demo`: the first demo board. */
interface StartWay {
  readonly by: 'port' | 'usb' | 'demo';
  readonly title: string;
  /** One or two sentences: what a person does before the button is pressed. */
  readonly step: string;
}

export interface FolderImageProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export interface DemoBoard {
  /** Name on the screen: `Demo ESP32`. */
  readonly label: string;
  readonly source: FlashSource;
}

/** Rules for the addresses that a user may type. */
export interface AddressRule {
  /** Word for a file's address: `offset`, `address`. */
  readonly word: string;
  /** Address of the first byte of flash. */
  readonly start: number;
  /** Alignment of a file's first byte, in bytes. */
  readonly multipleOf: number;
  /** Example address for sentences that ask for one. */
  readonly example: string;
  /**
   * True: files have no addresses, because the bootloader knows the place of each. The page asks for no address and
   * draws no map.
   */
  readonly hidden?: boolean;
  /**
   * A second memory of the chip, such as EEPROM: its name, and its first address, which is above all flash. Its data is
   * named with the address in this memory, and is not on the map. Missing: all addresses are those of flash.
   */
  readonly beside?: { readonly name: string; readonly start: number };
}

interface FamilyWords {
  /** Names the actions on a board besides flashing it. */
  readonly besides: string;
  /** Instruction for the board before its port is picked. */
  readonly connect: string;
  /** Adapters that work with the board. */
  readonly adapters: string;
  /** Title of the drop zone, and the hint below it. */
  readonly drop: string;
  readonly dropHint: string;
  /** File types for the file dialog (`accept` of the input). */
  readonly accept?: string;
  /** True: the user may choose the folder of a build. */
  readonly folders: boolean;
  /** Name of the chip's unique id: `MAC`. */
  readonly id: string;
  /** Instruction for restarting a board by hand. */
  readonly restart: string;
  /** Reason why a board can come back as another port. */
  readonly otherPort: string;
  /** Note for a plan that was not compared with the board before the write. */
  readonly notCompared?: string;
  /** Proof that flash contains the files: `verified by hash`. */
  readonly proof: string;
  /** The same proof for one file: `MD5 matches`. */
  readonly proven: string;
  /** Result of an erase, with what was observed of it. */
  readonly erased: string;
  /** Says how a person starts the bootloader without help of the program. */
  readonly bootloader: string;
}
