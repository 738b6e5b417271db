/** The code of every step that a decoder may select by name. */
import { dmxChanges } from './dmx-changes.ts';
import { modbus } from './modbus/modbus.ts';
import type { StepRegistry } from './step-types.ts';

export const steps: StepRegistry = { 'dmx-changes': dmxChanges, modbus };
