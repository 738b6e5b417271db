/** Lists the findings of a plan: refusals, which stop it unless overridden, and warnings. */
import { plainWarning } from '@wirebench/flasher/core';
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
  /** True: for a visitor of a release, in words for everyone, with addresses in a fold. */
  readonly visit?: boolean;
}

export function FindingList({ plan, said, visit = false }: FindingListProps) {
  const { overridden } = plan;
  const refusals = plan.refusals.filter((finding) => !said.includes(finding));
  const warnings = plan.warnings.filter((finding) => !said.includes(finding));
  if (refusals.length + overridden.length + warnings.length === 0) {
    return null;
  }
  return (
    <div className={`stack ${styles['list']}`}>
      {refusals.map((finding) => (
        <Refusal key={keyOf(finding)} finding={finding} />
      ))}
      {overridden.map((finding) => (
        <Notice key={keyOf(finding)} level="warning" title={finding.what}>
          You chose to write anyway.
        </Notice>
      ))}
      {warnings.map((finding) =>
        visit ? (
          <PlainWarning key={keyOf(finding)} finding={finding} />
        ) : (
          <Notice key={keyOf(finding)} level="warning" title={finding.what}>
            {finding.remedy} <More finding={finding} />
          </Notice>
        ),
      )}
    </div>
  );
}

const keyOf = ({ code, files, what }: Finding) => `${code} ${files.join()} ${what}`;

function More({ finding: { code } }: { readonly finding: Finding }) {
  const topic = pageFamily().topics[code] ?? null;
  return topic === null ? null : <GuidanceLink topic={topic} />;
}

function PlainWarning({ finding }: { readonly finding: Finding }) {
  const { what, remedy, details } = plainWarning(finding);
  return (
    <Notice level="warning" title={what}>
      {remedy}
      {details === null ? null : (
        <details>
          <summary>Details</summary>
          {details} <More finding={finding} />
        </details>
      )}
    </Notice>
  );
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
