/** How a simulated Nordic board is made: which one, what is in its flash, what goes wrong. */
import type { NordicBoardName } from './boards.ts';
import type { PublicKey } from './crypto/p256.ts';
import type { NordicFault } from './faults.ts';

/**
 * How long the flash takes. `instant-flash`: erasing and writing cost nothing, so that a client is measured and nothing else.
 * `real-flash`: what the chip's Product Specification gives. `slow-flash`: the maximum where that gives a range.
 */
type NordicProfile = 'instant-flash' | 'real-flash' | 'slow-flash';

/** What the secure bootloader of the nRF5 SDK was built with (its `sdk_config.h`), and what its settings page says. */
export interface SecureDfuOptions {
  /** Whose init packets it takes. Default: the demo key's. */
  readonly publicKey?: PublicKey;
  /** Signatures of applications are looked at (`NRF_DFU_REQUIRE_SIGNED_APP_UPDATE`). Default true. */
  readonly requireSignature?: boolean;
  /** `NRF_DFU_HW_VERSION`. Default 52. */
  readonly hardwareVersion?: number;
  /** Of the application in flash. Default 1. */
  readonly applicationVersion?: number;
  /** Of the bootloader. Default 1. */
  readonly bootloaderVersion?: number;
  /** An application of a lower version is refused (`NRF_DFU_APP_DOWNGRADE_PREVENTION`). Default true. */
  readonly preventDowngrade?: boolean;
  /** FWID of the SoftDevice in flash; null: there is none. Default null. */
  readonly softDevice?: number | null;
  /** Progress outlives a reset, object by object (`NRF_DFU_SAVE_PROGRESS_IN_FLASH`). Default false, as in the SDK. */
  readonly saveProgress?: boolean;
  /** The application is overwritten at once (`NRF_DFU_SINGLE_BANK_APP_UPDATES`). Default false. */
  readonly singleBank?: boolean;
  /** Milliseconds without a message after which it restarts (`NRF_BL_DFU_INACTIVITY_TIMEOUT_MS`); 0: never. Default 0. */
  readonly inactivityTimeout?: number;
  /** What it says its MTU is, in bytes. Default: what its transport has. */
  readonly toldMtu?: number;
  /** What it says its largest object of data is, in bytes. Default: a page. */
  readonly toldObjectSize?: number;
  /** Init packets marked as debug skip the version checks (`NRF_DFU_DEBUG_VERSION`). Default false. */
  readonly debug?: boolean;
}

interface AdafruitDfuOptions {
  /** FWID of the SoftDevice in flash; null: there is none. Default: the one that the board is sold with. */
  readonly softDevice?: number | null;
}

/** What MCUboot was built with. */
export interface McubootOptions {
  /** Whose signatures it takes; null: it was built without a key and looks at the hash alone. Default: the demo key's. */
  readonly publicKey?: PublicKey | null;
  /** `image` of an upload names the slot: 0 and 1 the first, 2 the second (`MCUBOOT_SERIAL_DIRECT_IMAGE_UPLOAD`). Default false. */
  readonly directUpload?: boolean;
  /** The list says more than slot and version, and states can be set (`MCUBOOT_SERIAL_IMG_GRP_IMAGE_STATE` and `_HASH`). Default true. */
  readonly imageState?: boolean;
  /** `MCUBOOT_BOOT_MGMT_ECHO`. Default true. */
  readonly echo?: boolean;
  /** `MCUBOOT_BOOT_MGMT_MCUMGR_PARAMS`: newer builds. Default true. */
  readonly params?: boolean;
  /** `MCUBOOT_SERIAL_MAX_RECEIVE_SIZE`, in bytes. Default 1024, as Zephyr has it. */
  readonly receiveSize?: number;
  /** What it says the size of its buffer is, in bytes. Default: `receiveSize`. */
  readonly toldBufferSize?: number;
  /** Milliseconds at each start that it waits for a host (`BOOT_SERIAL_WAIT_FOR_DFU`); 0: it does not. Default 0. */
  readonly waitForHost?: number;
  /** What the application that runs does about itself: an upgrade that is not confirmed is undone at the next start. Default true. */
  readonly applicationConfirms?: boolean;
  /** A signed image that is in the second slot. */
  readonly secondSlot?: Uint8Array;
}

export interface NordicDeviceOptions {
  readonly board: NordicBoardName;
  /** Default `instant-flash`. */
  readonly profile?: NordicProfile;
  /**
   * What is in flash when the device is made. `factory`: an application that says hello. `empty`: none. Or an application of one's
   * own, as it is in flash (MCUboot: a signed image). Default `factory`.
   */
  readonly content?: 'factory' | 'empty' | Uint8Array;
  /** What is in flash from its start before anything else is put in, as long as the flash or shorter. Default: it is erased. */
  readonly background?: Uint8Array;
  /** What runs when the board gets power, where there is a choice: `bootloader` is a hand at its buttons. Default `application`. */
  readonly powerUp?: 'application' | 'bootloader';
  /** Rate at which the application talks on a UART, in baud; the bootloaders have 115200. Default 115200. */
  readonly appBaudRate?: number;
  /** Milliseconds until a port on USB that vanished at a reset is back. Default 300. */
  readonly reenumerate?: number;
  readonly secure?: SecureDfuOptions;
  readonly adafruit?: AdafruitDfuOptions;
  readonly mcuboot?: McubootOptions;
  readonly faults?: readonly NordicFault[];
  /** Decides rubbish and what half-done flash operations leave behind. Default 1. */
  readonly seed?: number;
}
