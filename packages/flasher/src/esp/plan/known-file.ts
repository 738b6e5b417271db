/** A file of a plan with its bytes and its recognised kind. */
import type { EspPlanFile } from './esp-plan-types.ts';
import type { PlacedPart } from './placed-part.ts';

export interface KnownFile extends EspPlanFile, PlacedPart {}
