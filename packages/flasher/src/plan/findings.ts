/** Collects what the checks find and turns it into sentences. */
import {
  type FindingDetail,
  overridableRefusals,
  type PlanRefusal,
  type PlanWarning,
  planRefusalText,
  planWarningText,
} from './plan-finding.ts';
import type { RefusalFinding, WarningFinding } from './plan-types.ts';

export interface Findings {
  readonly refusals: RefusalFinding[];
  readonly warnings: WarningFinding[];
  /** @param final a refusal that is certain, though its kind may usually be typed away. */
  refuse(code: PlanRefusal, detail?: FindingDetail, final?: boolean): void;
  warn(code: PlanWarning, detail?: FindingDetail): void;
}

export function newFindings(): Findings {
  const refusals: RefusalFinding[] = [];
  const warnings: WarningFinding[] = [];
  return {
    refusals,
    warnings,
    refuse(code, detail = {}, final = false) {
      const overridable = !final && overridableRefusals.includes(code);
      refusals.push({ code, files: detail.files ?? [], overridable, ...planRefusalText[code](detail) });
    },
    warn(code, detail = {}) {
      warnings.push({ code, files: detail.files ?? [], ...planWarningText[code](detail) });
    },
  };
}
