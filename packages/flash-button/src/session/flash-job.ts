/** A board with the firmware that was chosen for it, and what both come from. */
import type { FamilyId } from '@wirebench/boards';
import type { UsbDevices } from '@wirebench/flasher/family';
import type { LoadedManifestFile, ManifestBuild, ManifestRelease, ManifestVersion } from '@wirebench/flasher/release';
import type { SerialPorts } from '@wirebench/port';
import type { ButtonBoard, RemedyOf, Source } from '../boards/button-board.ts';

/** A release, and the version of it that is offered: the newest one. */
export interface Offer {
  readonly release: ManifestRelease;
  readonly version: ManifestVersion;
}

/** A chosen device, with what is needed to find its board again. */
export interface Device {
  source: Source;
  readonly family: FamilyId;
  readonly isDemo: boolean;
  readonly serial: SerialPorts | null;
  /** Ports that were plugged in when the device was chosen. */
  readonly others: readonly SerialPort[];
  /** USB devices among which a board is found that leaves its port for its bootloader. Missing: there are none. */
  readonly usb?: UsbDevices | undefined;
}

export interface FlashJob extends Offer {
  readonly device: Device;
  readonly board: ButtonBoard;
  readonly build: ManifestBuild;
  readonly files: readonly LoadedManifestFile[];
  readonly remedyOf: RemedyOf;
  readonly eraseAll: boolean;
}
