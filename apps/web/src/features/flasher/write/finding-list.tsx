/** Lists the findings of a plan: refusals, which stop it unless overridden, and warnings. */
import type { Finding, PlanFacts, Refusal as RefusalFinding } from '../../../protocol/flash-protocol.ts';
import { Notice } from '../../../shared/ui/notice.tsx';
import { GuidanceLink } from '../../../workbench/guidance-link.tsx';
import { pageFamily } from '../store/flasher-store.ts';
import styles from './finding-list.module.css';
import { OverrideRefusal } from './override-button.tsx';

export interface FindingListProps {
  readonly plan: PlanFacts;
  /** Findings that the answer says already. Their links into the documentation are shown here. */
  readonly said: readonly Finding[];
}

export function FindingList({ plan, said }: FindingListProps) {
  const { overridden } = plan;
  const refusals = plan.refusals.filter((finding) => !said.includes(finding));
  const warnings = plan.warnings.filter((finding) => !said.includes(finding));
  if (refusals.length + overridden.length + warnings.length === 0) {
    return null;
  }
  return (
    <div className={styles['list']}>
      {refusals.map((finding) => (
        <Refusal key={keyOf(finding)} finding={finding} />
      ))}
      {overridden.map((finding) => (
        <Notice key={keyOf(finding)} level="warning" title={finding.what}>
          You chose to write anyway.
        </Notice>
      ))}
      {warnings.map((finding) => (
        <Notice key={keyOf(finding)} level="warning" title={finding.what}>
          {finding.remedy} <More finding={finding} />
        </Notice>
      ))}
    </div>
  );
}

const keyOf = ({ code, files, what }: Finding) => `${code} ${files.join()} ${what}`;

function More({ finding: { code } }: { readonly finding: Finding }) {
  const topic = pageFamily().topics[code] ?? null;
  return topic === null ? null : <GuidanceLink topic={topic} />;
}

function Refusal({ finding }: { readonly finding: RefusalFinding }) {
  return (
    <Notice
      level="error"
      title={finding.what}
      action={finding.overridable ? <OverrideRefusal size="sm" refusal={finding} /> : undefined}
    >
      {finding.remedy} <More finding={finding} />
    </Notice>
  );
}
