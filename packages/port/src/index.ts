/**
 * One serial port from open to close, for callers that read and write it themselves: classified open failures, one
 * read loop, time limits, control lines.
 */
export { pluggedAgain, returnedPort, type SerialPorts } from './chosen-ports.ts';
export {
  type ControlLines,
  fallsSilent,
  type LineStep,
  type LinesAtOpen,
  linesAtConnect,
  linesOff,
  linesRaised,
  linesToSet,
  passesLateOutput,
  playSteps,
  type SignalChange,
  type StepPlayer,
  setControlLines,
  stepPlayerOf,
} from './control-lines.ts';
export { type Deferred, deferred } from './deferred.ts';
export { errorName } from './error-name.ts';
export { bootloaderSteps, espPortKind, programSteps, strapTime } from './esp-reset.ts';
export type { LineErrorKind } from './line-error.ts';
export { type NamedPort, portNameOf } from './named-port.ts';
export { OpenError, type OpenFailure, openErrorOf } from './open-failure.ts';
export { openPort, type PortOpening } from './open-port.ts';
export {
  baudRates,
  defaultPortSettings,
  describePortSettings,
  type PortSettings,
  wireTime,
} from './port-settings.ts';
export { ReadLoop } from './read-loop.ts';
export {
  type AwaitedFrame,
  type ExpectedBytes,
  type RemoteLoss,
  type RemoteTiming,
  remoteTimingOf,
} from './remote-timing.ts';
export { type CloseReport, type LinkEnd, SerialLink } from './serial-link.ts';
export { closeLimit, limited, within } from './time-limit.ts';
export { aborted, unlessAborted, whenAborted } from './unless-aborted.ts';
