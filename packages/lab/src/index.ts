/**
 * An Espressif chip as a bench instrument, through its boot ROM's register commands. Nothing is written to its flash.
 * Knows no document, no framework and no real time: it is given a W3C `SerialPort` and a `Clock`.
 */
export type { LabChip, LabChipName, LabLink, LabPin } from './chips/lab-chip.ts';
export { labChip } from './chips/lab-chips.ts';
export type { NamedRegister, RegisterField, RegisterGroup } from './chips/named-register.ts';
export { type AdcSample, adcSample, adcUp } from './instruments/adc.ts';
export {
  captureEdges,
  countUp,
  type EdgeCapture,
  type EdgeTimes,
  edgeCount,
  type Level,
} from './instruments/edges.ts';
export {
  type I2cAnswer,
  type I2cPins,
  type I2cRegister,
  type I2cResult,
  type I2cSettings,
  type I2cTransfer,
  i2cClocks,
  i2cProbe,
  i2cProbeSetup,
  i2cReadRegister,
  i2cTransfer,
  i2cUp,
  i2cWriteRegister,
  longestI2cTransfer,
} from './instruments/i2c.ts';
export {
  busCandidates,
  type FindBusesOptions,
  type FindBusesStep,
  type FoundBus,
  type FoundBuses,
  findBuses,
  type I2cRecovery,
  i2cRecover,
} from './instruments/i2c-lines.ts';
export { type I2cScan, type I2cScanReport, scan, scannedAddresses } from './instruments/i2c-scan.ts';
export {
  inputPin,
  isHigh,
  outputPin,
  type PinLevels,
  type PinRule,
  type PinRuleKind,
  type PinSetup,
  type Pulse,
  pinRule,
  pulsePin,
  readPin,
  releasePin,
  setLevel,
  watchPins,
} from './instruments/pins.ts';
export {
  type PwmSettings,
  type PwmTiming,
  pwmDuty,
  pwmFrequencies,
  pwmOn,
  pwmTiming,
} from './instruments/pwm.ts';
export { fieldMask, fieldOf, readGroup, readRegisters, writeRegister } from './instruments/registers.ts';
export type { OutputOptions, Pull } from './instruments/routing.ts';
export {
  longestSpiTransfer,
  type SpiMode,
  type SpiPins,
  type SpiResult,
  type SpiTransfer,
  spiClocks,
  spiTransfer,
  spiUp,
} from './instruments/spi.ts';
export {
  receiveWaiting,
  sendThrough,
  type UartSettings,
  type UartState,
  uartRates,
  uartReceive,
  uartSend,
  uartState,
  uartUp,
} from './instruments/uart-bridge.ts';
export type {
  Answerer,
  Lab,
  LabCounters,
  LabInfo,
  LabPriority,
  LabStep,
  LabTraffic,
  OpenLabOptions,
  RunOptions,
} from './lab.ts';
export { LabError, type LabFailure, type LabFailureText, labFailureText } from './lab-failure.ts';
export type { Macro, MacroStep, RegisterEntry } from './macro.ts';
export { openLab } from './open-lab.ts';
export { type Policy, policyOf } from './policy/policy.ts';
