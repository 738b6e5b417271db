/**
 * An Espressif chip as a bench instrument, through its boot ROM's register commands. Nothing is written to its flash.
 * Knows no document, no framework and no real time: it is given a W3C `SerialPort` and a `Clock`.
 */
export type { LabChip, LabChipName, LabLink, LabPin } from './chips/lab-chip.ts';
export type { NamedRegister, RegisterField, RegisterGroup } from './chips/register-groups.ts';
export type { I2cAnswer, I2cPins, I2cRegister, I2cResult, I2cSettings, I2cTransfer } from './instruments/i2c.ts';
export {
  i2cClocks,
  i2cProbe,
  i2cProbeSetup,
  i2cReadRegister,
  i2cTransfer,
  i2cUp,
  i2cWriteRegister,
  longestI2cTransfer,
} from './instruments/i2c.ts';
export type { FindBusesOptions, FindBusesStep, FoundBuses, I2cRecovery } from './instruments/i2c-lines.ts';
export type { I2cScan, I2cScanReport } from './instruments/i2c-scan.ts';
export type { PinLevels, PinRule, PinRuleKind, PinSetup, Pulse } from './instruments/pins.ts';
export {
  inputPin,
  isHigh,
  outputPin,
  pinRule,
  pulsePin,
  readPin,
  releasePin,
  setLevel,
  watchPins,
} from './instruments/pins.ts';
export type { OutputOptions, Pull } from './instruments/routing.ts';
export type { Lab, LabCounters, LabInfo, LabPriority, LabStep, LabTraffic, OpenLabOptions, RunOptions } from './lab.ts';
export { LabError, type LabFailure, type LabFailureText, labFailureText } from './lab-failure.ts';
export type { Macro, MacroStep, RegisterEntry } from './macro.ts';
