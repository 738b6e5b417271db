/**
 * MCUboot in flash: two slots, the swap at a reset, and the decision about the start. The answers of its serial
 * recovery are in recovery-session.ts.
 */
import type { NrfBoard } from '../boards.ts';
import type { Bootcode, BootDecision, ResetReason } from '../boot-session.ts';
import { demoKey } from '../crypto/signing-key.ts';
import { applicationImage, bootTextOf, factoryText } from '../firmware/application.ts';
import type { Nvm } from '../nvm.ts';
import type { McubootOptions, NrfDeviceOptions } from '../options.ts';
import { mcubootImage } from './image.ts';
import { type McubootFlash, RecoverySession } from './recovery-session.ts';
import { Slots } from './slots.ts';

export class McubootBootcode implements Bootcode, McubootFlash {
  readonly board: NrfBoard;
  readonly nvm: Nvm;
  readonly slots: Slots;
  readonly options: McubootOptions;

  constructor(board: NrfBoard, nvm: Nvm, { mcuboot = {}, content = 'factory' }: NrfDeviceOptions) {
    this.board = board;
    this.nvm = nvm;
    this.options = mcuboot;
    const { publicKey = demoKey.publicKey, secondSlot } = mcuboot;
    this.slots = new Slots(nvm, publicKey);
    const application = content === 'factory' ? factoryImage(board) : content;
    if (application !== 'empty') {
      nvm.preload(this.slots.start(0), application);
    }
    if (secondSlot !== undefined) {
      nvm.preload(this.slots.start(1), secondSlot);
    }
  }

  reset(reason: ResetReason): BootDecision {
    // MCUboot checks the button before it swaps (MCUboot's Zephyr port, `main.c`).
    if (reason === 'button' || reason === 'double') {
      return { start: 'bootloader', takes: 0 };
    }
    const takes = this.slots.swap();
    if (this.bootText() === null) {
      return { start: 'bootloader', takes };
    }
    if (this.options.applicationConfirms ?? true) {
      this.slots.confirm();
    }
    const { waitForHost = 0 } = this.options;
    return waitForHost > 0
      ? { start: 'bootloader', takes, idle: { after: waitForHost, next: 'application', once: true } }
      : { start: 'application', takes };
  }

  open(): RecoverySession {
    return new RecoverySession(this);
  }

  bootText(): string | null {
    const image = this.slots.image(0);
    return image?.bootable ? (bootTextOf(image.program) ?? '') : null;
  }
}

function factoryImage({ chip }: NrfBoard): Uint8Array {
  return mcubootImage(applicationImage({ text: factoryText(chip.name), address: 0xc200 }), { key: demoKey });
}
