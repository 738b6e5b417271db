/**
 * Packages for Adafruit's bootloader in the form of adafruit-nrfutil: a short, unsigned init packet with a CRC-16.
 * Source: adafruit-nrfutil, `init_packet.py`, `manifest.py` and `package.py`.
 */
import { joined, words16, words32 } from '../../byte-fields.ts';
import { crc16 } from '../crc16.ts';
import { dfuZip } from './dfu-zip.ts';

export interface LegacyInitOptions {
  /** Default 0x0052, which all of Adafruit's bootloaders require. */
  readonly deviceType?: number;
  /** Default 0xffff: any. */
  readonly deviceRevision?: number;
  /** Default 0xffffffff: unspecified. */
  readonly applicationVersion?: number;
  /** FWIDs of compatible SoftDevices; 0xfffe: any. Default: any. */
  readonly softDevices?: readonly number[];
}

const usual: Required<LegacyInitOptions> = {
  deviceType: 0x0052,
  deviceRevision: 0xffff,
  applicationVersion: 0xffffffff,
  softDevices: [0xfffe],
};

export function legacyInitPacket(image: Uint8Array, options: LegacyInitOptions = {}): Uint8Array<ArrayBuffer> {
  const { deviceType, deviceRevision, applicationVersion, softDevices } = { ...usual, ...options };
  return joined(
    words16(deviceType, deviceRevision),
    words32(applicationVersion),
    words16(softDevices.length, ...softDevices, crc16(image, 0xffff)),
  );
}

/**
 * Returns a DFU package.
 * @param image An application whose length is a multiple of 4.
 * @param options Fields of the init packet.
 */
export function adafruitDfuPackage(image: Uint8Array, options: LegacyInitOptions = {}): Uint8Array<ArrayBuffer> {
  const { deviceType, deviceRevision, applicationVersion, softDevices } = { ...usual, ...options };
  const application = {
    bin_file: 'firmware.bin',
    dat_file: 'firmware.dat',
    init_packet_data: {
      application_version: applicationVersion,
      device_revision: deviceRevision,
      device_type: deviceType,
      firmware_crc16: crc16(image, 0xffff),
      softdevice_req: softDevices,
    },
  };
  const files = { 'firmware.bin': image, 'firmware.dat': legacyInitPacket(image, options) };
  return dfuZip({ manifest: { application, dfu_version: 0.5 } }, files);
}
