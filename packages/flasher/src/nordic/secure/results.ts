/** What a bootloader of secure DFU answers when it does not do what it was asked, as the failure that a person is told. */
import { hexText } from '../../core/bytes.ts';
import type { NordicFailure } from '../nordic-failure.ts';
import { type Answer, extendedError } from './messages.ts';

/** `nrf_dfu_result_t` (nRF5 SDK 17.1, "DFU protocol", section "Result codes"). 0x06 and 0x09 are not defined there. */
const resultFailures: Readonly<Record<number, NordicFailure>> = {
  0: 'request-invalid',
  2: 'request-unknown',
  3: 'request-invalid',
  4: 'no-room',
  5: 'object-invalid',
  // `InvalidSignature` of older SDKs.
  6: 'wrong-key',
  7: 'type-unsupported',
  8: 'not-permitted',
  10: 'operation-failed',
};

/** `nrf_dfu_ext_error_code_t` (same place, section "Extended error codes"). */
const extendedFailures: Readonly<Record<number, NordicFailure>> = {
  2: 'command-format',
  3: 'command-unknown',
  4: 'init-packet-invalid',
  5: 'version-too-low',
  6: 'wrong-hardware',
  7: 'wrong-softdevice',
  8: 'signature-missing',
  9: 'hash-type',
  10: 'hash-failed',
  11: 'signature-type',
  12: 'image-damaged',
  13: 'no-room',
  14: 'already-there',
};

/** Codes that no table has are told as `refused`, with their number in the detail. */
export function failureOf({ result, data }: Answer): NordicFailure {
  const table = result === extendedError ? extendedFailures : resultFailures;
  return table[result === extendedError ? (data[0] ?? 0) : result] ?? 'refused';
}

/** `Result 0x0b, extended error 0x06`. */
export function resultText({ result, data }: Answer): string {
  const text = `result ${hexText(result)}`;
  return result === extendedError ? `${text}, extended error ${hexText(data[0] ?? 0)}` : text;
}
