/**
 * The secure bootloader's checks of an init packet, in its order. Source: nRF5 SDK v15.3 and v17,
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

/** The facts of the board that are compared with an init packet. */
export interface InitContext {
  readonly publicKey: PublicKey;
  readonly requireSignature: boolean;
  readonly hardwareVersion: number;
  readonly preventDowngrade: boolean;
  readonly debug: boolean;
  readonly applicationVersion: number;
  readonly bootloaderVersion: number;
  /** FWID of the SoftDevice in flash; null: none. */
  readonly softDevice: number | null;
}

/** Value in `sd_req` of an application that needs no SoftDevice and may overwrite it. */
const overwritesSoftDevice = 0;

export function checkInitPacket(packet: InitPacket, context: InitContext): Verdict {
  const signature = checkSignature(packet, context);
  return signature.code === result.success ? checkCommand(packet.command, context) : signature;
}

function checkSignature({ command, signed, signature }: InitPacket, context: InitContext): Verdict {
  const anyoneMay = command.type === firmwareType.application || command.type === firmwareType.softDevice;
  if (anyoneMay && !context.requireSignature) {
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
  // R and S are little-endian in the packet (pc-nrfutil, `signing.py`).
  const bytes = Uint8Array.from([
    ...signature.bytes.subarray(0, 32).toReversed(),
    ...signature.bytes.subarray(32).toReversed(),
  ]);
  return verify(context.publicKey, signed, bytes) ? success : refusal(result.invalidObject);
}

function checkCommand(init: InitCommand, context: InitContext): Verdict {
  if (init.type === null || init.type > firmwareType.softDeviceBootloader) {
    return extendedRefusal('initCommandInvalid');
  }
  if (init.hashType !== hashSha256) {
    return extendedRefusal('wrongHashType');
  }
  if (context.debug && init.isDebug) {
    return success;
  }
  if (init.hwVersion === null) {
    return extendedRefusal('initCommandInvalid');
  }
  if (init.hwVersion !== context.hardwareVersion) {
    return extendedRefusal('hwVersionFailure');
  }
  if (!softDeviceFits(init, context)) {
    return extendedRefusal('sdVersionFailure');
  }
  if (init.fwVersion === null) {
    return versionNeeded(init, context) ? extendedRefusal('initCommandInvalid') : success;
  }
  return versionFits(init.type, init.fwVersion, context) ? success : extendedRefusal('fwVersionFailure');
}

function softDeviceFits(init: InitCommand, { softDevice, preventDowngrade }: InitContext): boolean {
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

function versionNeeded({ type }: InitCommand, { preventDowngrade }: InitContext): boolean {
  if (type === firmwareType.softDevice) {
    return false;
  }
  return type === firmwareType.application ? preventDowngrade : true;
}

function versionFits(type: number, version: number, context: InitContext): boolean {
  if (type === firmwareType.application || type === firmwareType.softDevice) {
    return version >= context.applicationVersion || !context.preventDowngrade;
  }
  return version > context.bootloaderVersion;
}
