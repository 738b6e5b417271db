/** Compares a release's requirements with the connected board. A person may override these refusals by typing. */

import { sizeText } from '../../core/bytes.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import type { EspGuard, EspPlanBoard } from './esp-plan-types.ts';

export function checkGuard(guard: EspGuard, { info }: EspPlanBoard, findings: EspFindings): void {
  if (guard.chip !== null && guard.chip !== info.chip) {
    findings.refuse('guard-chip', { wanted: chipFacts[guard.chip].label, found: chipFacts[info.chip].label });
  }
  const size = info.flash?.size ?? null;
  if (guard.flashSize !== null && size !== null && size < guard.flashSize) {
    findings.refuse('guard-flash', { wanted: sizeText(guard.flashSize), found: sizeText(size) });
  }
  if (guard.model !== null && guard.model !== info.model) {
    findings.refuse('guard-board', { wanted: guard.model, found: info.model });
  }
}
