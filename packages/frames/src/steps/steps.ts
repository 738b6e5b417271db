/** The code of every step that a decoder may select by name. */
import { atStep } from '../at/at-step.ts';
import { slcanStep } from '../can/slcan-step.ts';
import { mavlinkStep } from '../mavlink/mavlink-step.ts';
import { nmeaStep } from '../nmea/nmea-step.ts';
import { ubxStep } from '../ubx/ubx-step.ts';
import { dmx } from './dmx.ts';
import { modbus } from './modbus/modbus.ts';
import type { StepRegistry } from './step-types.ts';

export const steps: StepRegistry = {
  at: atStep,
  dmx,
  mavlink: mavlinkStep,
  modbus,
  nmea: nmeaStep,
  slcan: slcanStep,
  ubx: ubxStep,
};
