/**
 * Constants of the secure DFU protocol. Source: nRF5 SDK v17, "DFU protocol" (library lib_dfu_transport),
 * `nrf_dfu_req_handler.h` and `nrf_dfu_handling_error.h`.
 */

export const op = {
  protocolVersion: 0x00,
  create: 0x01,
  receipt: 0x02,
  crc: 0x03,
  execute: 0x04,
  select: 0x06,
  mtu: 0x07,
  write: 0x08,
  ping: 0x09,
  hardwareVersion: 0x0a,
  firmwareVersion: 0x0b,
  abort: 0x0c,
  response: 0x60,
} as const;

export const result = {
  success: 0x01,
  opCodeNotSupported: 0x02,
  invalidParameter: 0x03,
  insufficientResources: 0x04,
  invalidObject: 0x05,
  unsupportedType: 0x07,
  operationNotPermitted: 0x08,
  operationFailed: 0x0a,
  extendedError: 0x0b,
} as const;

/** Error codes that follow `extendedError`. */
export const extended = {
  initCommandInvalid: 0x04,
  fwVersionFailure: 0x05,
  hwVersionFailure: 0x06,
  sdVersionFailure: 0x07,
  signatureMissing: 0x08,
  wrongHashType: 0x09,
  wrongSignatureType: 0x0b,
  verificationFailed: 0x0c,
} as const;

/** A result code, with the extended error if it has one. */
export interface Verdict {
  readonly code: (typeof result)[keyof typeof result];
  readonly extended?: (typeof extended)[keyof typeof extended];
}

export const success: Verdict = { code: result.success };

export function refusal(code: Verdict['code']): Verdict {
  return { code };
}

export function extendedRefusal(error: keyof typeof extended): Verdict {
  return { code: result.extendedError, extended: extended[error] };
}

export const objectType = { command: 1, data: 2 } as const;

/** `DfuFwType` of the init packet (`dfu-cc.proto`). */
export const firmwareType = { application: 0, softDevice: 1, bootloader: 2, softDeviceBootloader: 3 } as const;
/** `DfuHashType`. */
export const hashSha256 = 3;
/** `DfuSignatureType`. */
export const signatureEcdsaP256 = 0;
