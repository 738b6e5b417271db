/**
 * What the page of one family has of its own and the shared parts show: defaults, tables and words. Components that only one
 * family has are in its feature, and are put into the page there.
 */
import type { FlasherFamily, GuidanceTopic } from '@wirebench/contract/constants';
import type { BootVerdict, FailureText } from '@wirebench/flasher/core';
import type { DemoFile } from '../../hardware/demo-device.ts';
import type { UsbFilter } from '../../hardware/web-usb.ts';
import type { ConnectedBoard, OwnSettings } from './families.ts';
import type { FlashSource } from './usb-source.ts';

export interface PageFamily {
  readonly name: FlasherFamily;
  /** At the start. */
  readonly settings: OwnSettings;
  /** Rates that a board can be flashed at, in baud, ascending, and the one that is tried first. */
  readonly baudRates: readonly number[];
  readonly baudRate: number;
  readonly monitorBaudRates: readonly number[];
  /** Simulated boards: the first has a button of its own. */
  readonly demos: readonly [DemoBoard, ...DemoBoard[]];
  /** Something to write for people with a simulated board and no file: all that this board needs to start, also when it is empty. */
  readonly demoFirmware: (board: ConnectedBoard) => Promise<readonly DemoFile[]>;
  /** Boards of this family whose bootloader is on USB and no serial port; left out: there are none. */
  readonly usbDevices?: UsbFilter;
  readonly addresses: AddressRule;
  /** False: there are no releases of this family. */
  readonly releases?: boolean;
  /** Everything that can go wrong, by its code. */
  readonly failures: Readonly<Record<string, FailureText>>;
  /** Where the documentation says more, by the code of a failure or of a finding; what is missing says all that there is. */
  readonly topics: Readonly<Record<string, GuidanceTopic | null>>;
  /** Steps of a connection. */
  readonly steps: Readonly<Record<string, string>>;
  /** What a text from the monitor says about how the program of a board has started. */
  readonly readStart: (text: string) => BootVerdict;
  /** A board that a person has put into its bootloader can only be restarted by a person. */
  readonly restartsByHand?: boolean;
  readonly words: FamilyWords;
}

export interface DemoBoard {
  /** `Demo ESP32`. */
  readonly label: string;
  readonly source: FlashSource;
}

/** What addresses a person may type. */
export interface AddressRule {
  /** What a file's address is called: `offset`, `address`. */
  readonly word: string;
  /** Where flash begins. */
  readonly start: number;
  /** Of a file's first byte. */
  readonly multipleOf: number;
  /** As it is written in a sentence that asks for one. */
  readonly example: string;
  /** Files have none: the bootloader knows where each goes. Nothing is asked, and no map is drawn. */
  readonly hidden?: boolean;
}

export interface FamilyWords {
  /** What to do with a board before its port is picked. */
  readonly connect: string;
  /** Which adapters it works with. */
  readonly adapters: string;
  /** What can be dropped, and what is known of it. */
  readonly drop: string;
  readonly dropHint: string;
  /** Types of files in the dialog that chooses them. */
  readonly accept?: string;
  /** Files come as a folder of a build. */
  readonly folders: boolean;
  /** What the number is called that no other board has: `MAC`. */
  readonly id: string;
  /** How a person restarts a board. */
  readonly restart: string;
  /** Why a board can come back as another port. */
  readonly otherPort: string;
  /** What is said of a plan that was not compared with the board beforehand. */
  readonly notCompared?: string;
  /** What proves what is in flash: `its hash`. */
  readonly proof: string;
  /** How that is said of one file: `MD5 matches`. */
  readonly proven: string;
}
