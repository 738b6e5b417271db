/**
 * The secure bootloader's protocol: requests on command and data objects, answered as by the nRF5 SDK. Source: nRF5
 * SDK v17, "DFU protocol" and "Serial" (lib_dfu_transport_serial), `nrf_dfu_req_handler.c`, `nrf_dfu_serial.c`.
 */

import { joined, viewOf, words16, words32 } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';
import { SlipReceiver, slipEnded } from '../../slip.ts';
import { type NrfBoard, pageSize } from '../boards.ts';
import type { BootSession, Outcome } from '../boot-session.ts';
import type { NrfStep } from '../faults.ts';
import type { Nvm } from '../nvm.ts';
import type { SoftDeviceInfo } from '../soft-device.ts';
import { type DfuSettings, noProgress } from './dfu-settings.ts';
import { objectType, op, refusal, result, success, type Verdict } from './results.ts';

/** `UART_SLIP_MTU` and `SLIP_MTU` of the transports in bytes: twice a payload with its opcode, plus the end byte. */
const mtus = { uart: 131, usb: 2_051 } as const;
/** `INIT_COMMAND_MAX_SIZE`. */
const maxInit = 512;
/** `DATA_OBJECT_MAX_SIZE`. */
const maxData = pageSize;
const protocolVersion = 1;
/** SLIP rules of the nRF5 SDK, `slip.c`. */
const slipRules = { opens: 'anything', strict: true } as const;
/** Milliseconds between the last answer and the chip's restart. */
const restartDelay = 20;

const steps: ReadonlyMap<number, NrfStep> = new Map([
  [op.protocolVersion, 'version'],
  [op.create, 'create'],
  [op.receipt, 'receipt'],
  [op.crc, 'crc'],
  [op.execute, 'execute'],
  [op.select, 'select'],
  [op.mtu, 'mtu'],
  [op.write, 'write'],
  [op.ping, 'ping'],
  [op.hardwareVersion, 'version'],
  [op.firmwareVersion, 'version'],
  [op.abort, 'abort'],
]);

/** Minimum number of bytes after the opcode of a request. */
const leastPayload: ReadonlyMap<number, number> = new Map([
  [op.create, 5],
  [op.receipt, 2],
  [op.select, 1],
  [op.ping, 1],
  [op.firmwareVersion, 1],
]);

/** Result of a request, without its times. */
interface Reply {
  readonly verdict: Verdict;
  readonly payload?: Uint8Array;
  /** Opcode in the answer, if it is not the request's own. */
  readonly opcode?: number;
  readonly silent?: boolean;
  /** Action after the answer. */
  readonly after?: 'save' | 'save-and-restart' | 'restart';
}

/** The flash that the session writes to, and the bootloader's data in it. */
export interface SecureFlash {
  readonly board: NrfBoard;
  readonly nvm: Nvm;
  /** Copy of the settings in RAM. A reset restores the saved ones. */
  readonly settings: DfuSettings;
  /** Sizes that it reports instead of its own. */
  readonly reported: { readonly mtu: number | undefined; readonly objectSize: number | undefined };
  /** True: progress is saved, so that an update can resume after a reset. */
  readonly saveProgress: boolean;
  readonly bootloaderRegion: { readonly start: number; readonly size: number };
  readonly softDevice: SoftDeviceInfo | null;
  /** Address after the SoftDevice, or after the master boot record. */
  readonly applicationStart: number;
  /** Writes the settings page, after the flash operations queued before. */
  save(now: number): void;
  /** Checks the init command in RAM, and finds room for the announced firmware. */
  takeInitCommand(): Verdict;
  /** Compares the complete firmware with the init packet, and marks it for activation. */
  validateFirmware(): Verdict;
}

export class SecureSession implements BootSession {
  readonly deafWhileBusy = false;
  readonly #boot: SecureFlash;
  readonly #mtu: number;
  readonly #slip: SlipReceiver;
  /** Type of the object that was last created or selected. Writes go to it. */
  #object: number = objectType.command;
  /** Number of writes after which the bootloader sends the checksum; 0: never. */
  #receipts = 0;
  #untilReceipt = 0;

  constructor(boot: SecureFlash) {
    this.#boot = boot;
    this.#mtu = mtus[boot.board.connection];
    this.#slip = new SlipReceiver(this.#mtu, slipRules);
  }

  receive(bytes: Uint8Array): readonly Uint8Array[] {
    return this.#slip.receive(bytes);
  }

  stepOf([opcode = 0xff]: Uint8Array): NrfStep | null {
    return steps.get(opcode) ?? null;
  }

  process(message: Uint8Array, now: number): Outcome {
    const opcode = message[0] ?? 0xff;
    const reply = this.#reply(opcode, message.subarray(1), now);
    const { nvm } = this.#boot;
    const answerAt = Math.max(now, nvm.busyUntil);
    if (reply.after === 'save' || reply.after === 'save-and-restart') {
      this.#boot.save(answerAt);
    }
    const freeAt = Math.max(answerAt, nvm.busyUntil);
    const restarts = reply.after === 'restart' || reply.after === 'save-and-restart';
    return {
      answers: reply.silent ? [] : [answerOf(reply.opcode ?? opcode, reply)],
      answerAt,
      freeAt,
      ...(restarts && { end: { at: Math.max(freeAt, answerAt + restartDelay), by: 'reset' } }),
    };
  }

  refuse(message: Uint8Array, now: number): Outcome {
    const reply = { verdict: refusal(result.operationFailed) };
    return { answers: [answerOf(message[0] ?? 0xff, reply)], answerAt: now, freeAt: now };
  }

  #reply(opcode: number, payload: Uint8Array, now: number): Reply {
    if (payload.length < (leastPayload.get(opcode) ?? 0)) {
      return { verdict: refusal(result.invalidParameter) };
    }
    switch (opcode) {
      case op.protocolVersion:
        return { verdict: success, payload: Uint8Array.of(protocolVersion) };
      case op.create:
        this.#object = payload[0] ?? 0;
        this.#untilReceipt = this.#receipts;
        return { verdict: this.#create(viewOf(payload).getUint32(1, true), now) };
      case op.receipt:
        this.#receipts = viewOf(payload).getUint16(0, true);
        this.#untilReceipt = this.#receipts;
        return { verdict: success };
      case op.crc:
        return this.#onObject(() => ({ verdict: success, payload: this.#offsetAndCrc() }));
      case op.execute:
        return this.#onObject(() => (this.#object === objectType.command ? this.#takeInit(now) : this.#takeData()));
      case op.select:
        this.#object = payload[0] ?? 0;
        return this.#onObject(() => ({ verdict: success, payload: this.#selected() }));
      case op.mtu:
        return { verdict: success, payload: words16(this.#boot.reported.mtu ?? this.#mtu) };
      case op.write:
        return this.#write(payload, now);
      case op.ping:
        return { verdict: success, payload: payload.slice(0, 1) };
      case op.hardwareVersion:
        return { verdict: success, payload: this.#hardware() };
      case op.firmwareVersion:
        return { verdict: success, payload: this.#firmware(payload[0] ?? 0) };
      case op.abort:
        return { verdict: success, after: 'restart' };
      default:
        return { verdict: refusal(result.opCodeNotSupported) };
    }
  }

  #onObject(deal: () => Reply): Reply {
    const known = this.#object === objectType.command || this.#object === objectType.data;
    return known ? deal() : { verdict: refusal(result.invalidObject) };
  }

  #create(size: number, now: number): Verdict {
    switch (this.#object) {
      case objectType.command:
        return this.#createInit(size);
      case objectType.data:
        return this.#createData(size, now);
      default:
        return refusal(result.invalidObject);
    }
  }

  #createInit(size: number): Verdict {
    if (size === 0) {
      return refusal(result.invalidParameter);
    }
    if (size > maxInit) {
      return refusal(result.insufficientResources);
    }
    const { settings } = this.#boot;
    Object.assign(settings.progress, noProgress, { commandSize: size });
    Object.assign(settings, { initCommand: new Uint8Array(size), initTaken: false });
    return success;
  }

  #createData(size: number, now: number): Verdict {
    const { settings, nvm } = this.#boot;
    const { progress, target, targetSize } = settings;
    if (!settings.initTaken) {
      return refusal(result.operationNotPermitted);
    }
    if (size === 0 || (size % pageSize !== 0 && progress.lastOffset + size !== targetSize)) {
      return refusal(result.invalidParameter);
    }
    if (size > maxData) {
      return refusal(result.insufficientResources);
    }
    if (progress.lastOffset + size > targetSize) {
      return refusal(result.operationNotPermitted);
    }
    Object.assign(progress, { objectSize: size, offset: progress.lastOffset, crc: progress.lastCrc });
    nvm.erase(now, target + progress.offset, target + progress.offset + size);
    return success;
  }

  /** Writes to the current object. The only answer is the checksum when a receipt is due. */
  #write(data: Uint8Array, now: number): Reply {
    const verdict = this.#object === objectType.command ? this.#writeInit(data) : this.#writeData(data, now);
    this.#untilReceipt = (this.#untilReceipt - 1) & 0xffff;
    if (this.#receipts === 0 || this.#untilReceipt !== 0) {
      return { verdict, silent: true };
    }
    this.#untilReceipt = this.#receipts;
    return { verdict, opcode: op.crc, payload: this.#offsetAndCrc() };
  }

  #writeInit(data: Uint8Array): Verdict {
    const { progress, initCommand } = this.#boot.settings;
    if (progress.commandOffset + data.length > progress.commandSize) {
      return refusal(result.invalidParameter);
    }
    initCommand.set(data, progress.commandOffset);
    progress.commandOffset += data.length;
    progress.commandCrc = crc32(data, progress.commandCrc);
    return success;
  }

  #writeData(data: Uint8Array, now: number): Verdict {
    const { settings, nvm } = this.#boot;
    const { progress, target } = settings;
    if (this.#object !== objectType.data) {
      return refusal(result.invalidObject);
    }
    if (!settings.initTaken) {
      return refusal(result.operationNotPermitted);
    }
    if (progress.offset - progress.lastOffset + data.length > progress.objectSize) {
      return refusal(result.invalidParameter);
    }
    nvm.program(now, target + progress.offset, data.slice());
    progress.offset += data.length;
    progress.crc = crc32(data, progress.crc);
    return success;
  }

  #takeInit(now: number): Reply {
    const { settings } = this.#boot;
    if (settings.progress.commandOffset !== settings.progress.commandSize) {
      return { verdict: refusal(result.operationNotPermitted) };
    }
    const verdict = this.#boot.takeInitCommand();
    if (verdict.code === result.success) {
      // The init packet is always saved before the answer.
      this.#boot.save(now);
    }
    return { verdict };
  }

  #takeData(): Reply {
    const { settings, nvm, saveProgress } = this.#boot;
    const { progress } = settings;
    if (!settings.initTaken || progress.offset - progress.lastOffset !== progress.objectSize) {
      return { verdict: refusal(result.operationNotPermitted) };
    }
    Object.assign(progress, { objectSize: 0, lastOffset: progress.offset, lastCrc: progress.crc });
    if (progress.offset !== settings.targetSize) {
      return { verdict: success, ...(saveProgress && { after: 'save' as const }) };
    }
    nvm.settle(nvm.busyUntil);
    // Valid or not, the transfer is complete, and the chip restarts.
    return { verdict: this.#boot.validateFirmware(), after: 'save-and-restart' };
  }

  #offsetAndCrc(): Uint8Array {
    const { progress } = this.#boot.settings;
    return this.#object === objectType.command
      ? words32(progress.commandOffset, progress.commandCrc)
      : words32(progress.offset, progress.crc);
  }

  #selected(): Uint8Array {
    return joined(
      words32(this.#object === objectType.command ? maxInit : (this.#boot.reported.objectSize ?? maxData)),
      this.#offsetAndCrc(),
    );
  }

  #hardware(): Uint8Array {
    const { part, variant, flashSize, ramSize } = this.#boot.board.chip;
    return words32(part, variant, flashSize, ramSize, pageSize);
  }

  /**
   * Returns entry `index` of the present images: bootloader, SoftDevice, application (`nrf_dfu_firmware_type_t`: 2,
   * 0, 1; 255 beyond the last).
   */
  #firmware(index: number): Uint8Array {
    const { bootloaderRegion, softDevice, settings, applicationStart } = this.#boot;
    const images = [image(2, settings.bootloaderVersion, bootloaderRegion.start, bootloaderRegion.size)];
    if (softDevice !== null) {
      images.push(image(0, softDevice.version, 0x1000, softDevice.end));
    }
    if (settings.bank0.code === 'application') {
      images.push(image(1, settings.applicationVersion, applicationStart, settings.bank0.size));
    }
    return images[index] ?? image(0xff, 0, 0, 0);
  }
}

function image(type: number, version: number, address: number, length: number): Uint8Array {
  return joined(Uint8Array.of(type), words32(version, address, length));
}

function answerOf(opcode: number, { verdict, payload = new Uint8Array() }: Reply): Uint8Array {
  const head = [op.response, opcode, verdict.code];
  const tail = verdict.code === result.success ? payload : new Uint8Array();
  const more = verdict.extended === undefined ? [] : [verdict.extended];
  return slipEnded(joined(Uint8Array.from([...head, ...more]), tail));
}
