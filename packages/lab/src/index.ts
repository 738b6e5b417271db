/**
 * An Espressif chip as a bench instrument, through its boot ROM's register commands. Nothing is written to its flash.
 * Knows no document, no framework and no real time: it is given a W3C `SerialPort` and a `Clock`.
 */
export type { LabChipName, LabLink } from './chips/lab-chip.ts';
export { adcSample, adcUp } from './instruments/adc.ts';
export { type I2cAnswer, i2cTransfer, i2cUp } from './instruments/i2c.ts';
export { busCandidates, findBuses, i2cRecover } from './instruments/i2c-lines.ts';
export { scan } from './instruments/i2c-scan.ts';
export {
  inputPin,
  outputPin,
  type PinRuleKind,
  type PinSetup,
  pinRule,
  readPin,
  releasePin,
  watchPins,
} from './instruments/pins.ts';
export { pwmOn } from './instruments/pwm.ts';
export { readRegisters, writeRegister } from './instruments/registers.ts';
export type { Pull } from './instruments/routing.ts';
export { spiTransfer, spiUp } from './instruments/spi.ts';
export { receiveWaiting, sendThrough, uartUp } from './instruments/uart-bridge.ts';
export type { Lab, LabStep } from './lab.ts';
export { LabError, type LabFailure, labFailureText } from './lab-failure.ts';
export type { Macro } from './macro.ts';
export { openLab } from './open-lab.ts';
