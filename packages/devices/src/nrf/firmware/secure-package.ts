/**
 * Packages for the nRF5 SDK's secure bootloader in the form of Nordic's pc-nrfutil: a signed init packet (`.dat`) and
 * the firmware (`.bin`). Source: `dfu-cc.proto`; pc-nrfutil, `init_packet_pb.py`, `signing.py` and `manifest.py`.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { joined } from '../../byte-fields.ts';
import { demoKey, type SigningKey } from '../crypto/signing-key.ts';
import { varint, writeField } from '../secure/protobuf.ts';
import { firmwareType, hashSha256, signatureEcdsaP256 } from '../secure/results.ts';
import { dfuZip } from './dfu-zip.ts';

export interface SecureFirmware {
  readonly kind: 'application' | 'softDevice' | 'bootloader';
  readonly image: Uint8Array;
}

export interface InitPacketOptions {
  /** Default 1. */
  readonly fwVersion?: number;
  /** Default 52. */
  readonly hwVersion?: number;
  /** FWIDs of compatible SoftDevices. Default 0: none needed. */
  readonly sdReq?: readonly number[];
  readonly isDebug?: boolean;
  /** Null: unsigned. Default: the demo key. */
  readonly key?: SigningKey | null;
}

/** Returns the init packet of one firmware. */
export function secureInitPacket(
  { kind, image }: SecureFirmware,
  options: InitPacketOptions = {},
): Uint8Array<ArrayBuffer> {
  const { fwVersion = 1, hwVersion = 52, sdReq = [0], isDebug = false, key = demoKey } = options;
  const sizeField = { softDevice: 5, bootloader: 6, application: 7 }[kind];
  const hash = joined(writeField(1, hashSha256), writeField(2, sha256(image).toReversed()));
  const init = joined(
    writeField(1, fwVersion),
    writeField(2, hwVersion),
    writeField(3, joined(...sdReq.map(varint))),
    writeField(4, firmwareType[kind]),
    writeField(sizeField, image.length),
    writeField(8, hash),
    writeField(9, isDebug ? 1 : 0),
  );
  const opCodeInit = 1;
  const command = joined(writeField(1, opCodeInit), writeField(2, init));
  if (key === null) {
    return writeField(1, command);
  }
  const signature = key.sign(init);
  const turned = Uint8Array.from([...signature.subarray(0, 32).toReversed(), ...signature.subarray(32).toReversed()]);
  return writeField(2, joined(writeField(1, command), writeField(2, signatureEcdsaP256), writeField(3, turned)));
}

/** Returns a package of one or more firmwares, each with its own init packet. */
export function secureDfuPackage(
  firmwares: readonly SecureFirmware[],
  options: InitPacketOptions = {},
): Uint8Array<ArrayBuffer> {
  const files: Record<string, Uint8Array> = {};
  const manifest: Record<string, unknown> = {};
  for (const firmware of firmwares) {
    const name = firmware.kind.toLowerCase();
    files[`${name}.bin`] = firmware.image;
    files[`${name}.dat`] = secureInitPacket(firmware, options);
    manifest[name] = { bin_file: `${name}.bin`, dat_file: `${name}.dat` };
  }
  return dfuZip({ manifest }, files);
}
