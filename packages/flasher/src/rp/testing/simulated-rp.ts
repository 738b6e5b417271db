/** The simulated boards, faults and programs of `packages/devices` that the tests of this folder use. */
export {
  type RpFault,
  type RpFaultKind,
  rpFaultKinds,
  rpSteps,
  seededRpFault,
} from '../../../../devices/src/rp/faults.ts';
export { rpFirmware, rpFirmwareUf2 } from '../../../../devices/src/rp/firmware.ts';
export { RpBoard, type RpBoardOptions } from '../../../../devices/src/rp/rp-board.ts';
