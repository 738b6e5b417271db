/** Options of a simulated Nordic board: type, flash content, bootloader build and faults. */
import type { NrfBoardName } from './boards.ts';
import type { PublicKey } from './crypto/p256.ts';
import type { NrfFault } from './faults.ts';

/**
 * Timing of the flash. `instant-flash`: erasing and writing take no time, so that only the client is measured.
 * `real-flash`: times of the chip's Product Specification. `slow-flash`: the maximum if the specification gives a
 * range.
 */
type NrfProfile = 'instant-flash' | 'real-flash' | 'slow-flash';

/** Build options of the nRF5 SDK's secure bootloader (its `sdk_config.h`), and the content of its settings page. */
export interface SecureDfuOptions {
  /** Key whose init packets are accepted. Default: the demo key's. */
  readonly publicKey?: PublicKey;
  /** True: signatures of applications are checked (`NRF_DFU_REQUIRE_SIGNED_APP_UPDATE`). Default true. */
  readonly requireSignature?: boolean;
  /** `NRF_DFU_HW_VERSION`. Default 52. */
  readonly hardwareVersion?: number;
  /** Version of the application in flash. Default 1. */
  readonly applicationVersion?: number;
  /** Version of the bootloader. Default 1. */
  readonly bootloaderVersion?: number;
  /** True: an application of a lower version is refused (`NRF_DFU_APP_DOWNGRADE_PREVENTION`). Default true. */
  readonly preventDowngrade?: boolean;
  /** FWID of the SoftDevice in flash; null: none. Default null. */
  readonly softDevice?: number | null;
  /**
   * True: progress is kept across resets, object by object (`NRF_DFU_SAVE_PROGRESS_IN_FLASH`). Default false, as in
   * the SDK.
   */
  readonly saveProgress?: boolean;
  /** True: the application is overwritten directly (`NRF_DFU_SINGLE_BANK_APP_UPDATES`). Default false. */
  readonly singleBank?: boolean;
  /** Milliseconds without a message until a restart (`NRF_BL_DFU_INACTIVITY_TIMEOUT_MS`); 0: never. Default 0. */
  readonly inactivityTimeout?: number;
  /** Reported MTU in bytes. Default: the MTU of its transport. */
  readonly reportedMtu?: number;
  /** Reported size of its largest data object, in bytes. Default: a page. */
  readonly reportedObjectSize?: number;
  /** True: init packets marked as debug skip the version checks (`NRF_DFU_DEBUG_VERSION`). Default false. */
  readonly debug?: boolean;
}

interface AdafruitDfuOptions {
  /** FWID of the SoftDevice in flash; null: none. Default: the one of a new board. */
  readonly softDevice?: number | null;
}

/** Build options of MCUboot, and the state of its second slot. */
export interface McubootOptions {
  /**
   * Key whose signatures are accepted; null: built without a key, so only the hash is checked. Default: the demo
   * key's.
   */
  readonly publicKey?: PublicKey | null;
  /**
   * True: `image` of an upload names the slot: 0 and 1 the first, 2 the second
   * (`MCUBOOT_SERIAL_DIRECT_IMAGE_UPLOAD`). Default false.
   */
  readonly directUpload?: boolean;
  /**
   * True: the list has more than slot and version, and states can be set (`MCUBOOT_SERIAL_IMG_GRP_IMAGE_STATE` and
   * `_HASH`). Default true.
   */
  readonly imageState?: boolean;
  /** `MCUBOOT_BOOT_MGMT_ECHO`. Default true. */
  readonly echo?: boolean;
  /** `MCUBOOT_BOOT_MGMT_MCUMGR_PARAMS`, in newer builds. Default true. */
  readonly params?: boolean;
  /** `MCUBOOT_SERIAL_MAX_RECEIVE_SIZE`, in bytes. Default 1024, as in Zephyr. */
  readonly receiveSize?: number;
  /** Reported size of its buffer, in bytes. Default: `receiveSize`. */
  readonly toldBufferSize?: number;
  /** Milliseconds at each start that it waits for a host (`BOOT_SERIAL_WAIT_FOR_DFU`). Default 0: no wait. */
  readonly waitForHost?: number;
  /**
   * True: the running application confirms itself. An unconfirmed upgrade is reverted at the next start. Default
   * true.
   */
  readonly applicationConfirms?: boolean;
  /** Signed image in the second slot. Default: the slot is empty. */
  readonly secondSlot?: Uint8Array;
}

export interface NrfDeviceOptions {
  readonly board: NrfBoardName;
  /** Default `instant-flash`. */
  readonly profile?: NrfProfile;
  /**
   * Initial application. `factory`: one that prints a greeting. `empty`: none. Or an own application as stored in
   * flash (MCUboot: a signed image). Default `factory`.
   */
  readonly content?: 'factory' | 'empty' | Uint8Array;
  /** Content of the flash from its start on, below everything else. At most as long as the flash. Default: erased. */
  readonly background?: Uint8Array;
  /** Program at power-on, if the board has a choice. `bootloader` simulates pressed buttons. Default `application`. */
  readonly powerUp?: 'application' | 'bootloader';
  /** Rate of the application on a UART, in baud. The bootloaders use 115200. Default 115200. */
  readonly appBaudRate?: number;
  /** Milliseconds until a USB port comes back after a reset. Default 300. */
  readonly reenumerate?: number;
  readonly secure?: SecureDfuOptions;
  readonly adafruit?: AdafruitDfuOptions;
  readonly mcuboot?: McubootOptions;
  readonly faults?: readonly NrfFault[];
  /** Seed of garbage and of the remains of interrupted flash operations. Default 1. */
  readonly seed?: number;
}
