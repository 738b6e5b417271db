/**
 * What the secure bootloader looks at before it takes an init packet, in its order. Source: nRF5 SDK v15.3 and v17,
 * `nrf_dfu_validation.c` (signature) and `nrf_dfu_ver_validation.c` (type, hash, hardware, SoftDevice, version).
 */
import { type PublicKey, verify } from '../crypto/p256.ts';
import type { InitCommand, InitPacket } from './init-packet.ts';
import {
  extendedRefusal,
  firmwareType,
  hashSha256,
  refusal,
  result,
  signatureEcdsaP256,
  success,
  type Verdict,
} from './results.ts';

/** What the board says about itself. */
export interface InitBench {
  readonly publicKey: PublicKey;
  readonly requireSignature: boolean;
  readonly hardwareVersion: number;
  readonly preventDowngrade: boolean;
  readonly debug: boolean;
  readonly applicationVersion: number;
  readonly bootloaderVersion: number;
  /** FWID of the SoftDevice in flash; null: there is none. */
  readonly softDevice: number | null;
}

/** In `sd_req`: the application needs none, and may overwrite it. */
const overwritesSoftDevice = 0;

export function checkInitPacket(packet: InitPacket, bench: InitBench): Verdict {
  const signature = checkSignature(packet, bench);
  return signature.code === result.success ? checkCommand(packet.command, bench) : signature;
}

function checkSignature({ command, signed, signature }: InitPacket, bench: InitBench): Verdict {
  const anyoneMay = command.type === firmwareType.application || command.type === firmwareType.softDevice;
  if (anyoneMay && !bench.requireSignature) {
    return success;
  }
  if (signature === null) {
    return extendedRefusal('signatureMissing');
  }
  if (signature.type !== signatureEcdsaP256) {
    return extendedRefusal('wrongSignatureType');
  }
  if (signature.bytes.length !== 64) {
    return refusal(result.operationFailed);
  }
  // In the packet R and S stand with the lowest byte first (pc-nrfutil, `signing.py`).
  const bytes = Uint8Array.from([
    ...signature.bytes.subarray(0, 32).toReversed(),
    ...signature.bytes.subarray(32).toReversed(),
  ]);
  return verify(bench.publicKey, signed, bytes) ? success : refusal(result.invalidObject);
}

function checkCommand(init: InitCommand, bench: InitBench): Verdict {
  if (init.type === null || init.type > firmwareType.softDeviceBootloader) {
    return extendedRefusal('initCommandInvalid');
  }
  if (init.hashType !== hashSha256) {
    return extendedRefusal('wrongHashType');
  }
  if (bench.debug && init.isDebug) {
    return success;
  }
  if (init.hwVersion === null) {
    return extendedRefusal('initCommandInvalid');
  }
  if (init.hwVersion !== bench.hardwareVersion) {
    return extendedRefusal('hwVersionFailure');
  }
  if (!softDeviceFits(init, bench)) {
    return extendedRefusal('sdVersionFailure');
  }
  if (init.fwVersion === null) {
    return versionNeeded(init, bench) ? extendedRefusal('initCommandInvalid') : success;
  }
  return versionFits(init.type, init.fwVersion, bench) ? success : extendedRefusal('fwVersionFailure');
}

function softDeviceFits(init: InitCommand, { softDevice, preventDowngrade }: InitBench): boolean {
  const [first] = init.sdReq;
  const needsOne = first !== undefined && first !== overwritesSoftDevice;
  if (softDevice === null) {
    return needsOne ? false : !preventDowngrade || init.fwVersion !== null;
  }
  if (needsOne) {
    return init.sdReq.includes(softDevice);
  }
  if (init.type === firmwareType.application) {
    const namesOthers = preventDowngrade && init.sdReq.length > 1;
    return namesOthers ? init.sdReq.includes(softDevice) : true;
  }
  return !preventDowngrade || init.type !== firmwareType.softDevice;
}

function versionNeeded({ type }: InitCommand, { preventDowngrade }: InitBench): boolean {
  if (type === firmwareType.softDevice) {
    return false;
  }
  return type === firmwareType.application ? preventDowngrade : true;
}

function versionFits(type: number, version: number, bench: InitBench): boolean {
  if (type === firmwareType.application || type === firmwareType.softDevice) {
    return version >= bench.applicationVersion || !bench.preventDowngrade;
  }
  return version > bench.bootloaderVersion;
}
