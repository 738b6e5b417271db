/**
 * An Espressif chip as a bench instrument, through its boot ROM's register commands. Nothing is written to its flash.
 * The caller provides a W3C `SerialPort` and a `Clock`, so the package runs without a document and without real time.
 */
export type { LabChipName, LabLink } from './chips/lab-chip.ts';
export { adcSample, adcUp, adcVolts } from './instruments/adc.ts';
export {
  beginPeriod,
  type CountedEdges,
  countEdges,
  countRound,
  type EdgePeriod,
  edgeCount,
  edgesBetween,
  periodRanges,
  resetEdgeCount,
  stopCounting,
  takePeriod,
} from './instruments/edges.ts';
export {
  type I2cAnswer,
  type I2cResult,
  type I2cTransfer,
  i2cPreparedTransfer,
  i2cTransfer,
  i2cUp,
} from './instruments/i2c.ts';
export { busCandidates, findBuses, i2cRecover } from './instruments/i2c-lines.ts';
export { type I2cScan, type I2cScanReport, scan } from './instruments/i2c-scan.ts';
export {
  inputPin,
  isHigh,
  outputPin,
  type PinRuleKind,
  type PinSetup,
  pinRule,
  readPin,
  releasePin,
  watchPins,
} from './instruments/pins.ts';
export { pwmOn } from './instruments/pwm.ts';
export { pinsMovedBy, readRegisters, writeRegister } from './instruments/registers.ts';
export type { Pull } from './instruments/routing.ts';
export { spiReady, spiTransfer, spiUp } from './instruments/spi.ts';
export {
  clearUartFaults,
  receiveWaiting,
  sendThrough,
  takeUartFaults,
  type UartFault,
  uartUp,
} from './instruments/uart-bridge.ts';
export type { Lab, LabCounters, LabStep, RunOptions } from './lab.ts';
export { asLabError, LabError, type LabFailureCode, labFailureText } from './lab-failure.ts';
export { askForLeftPins } from './left-pins.ts';
export type { Macro } from './macro.ts';
export { openLab } from './open-lab.ts';
