/** Lists the findings of a plan: refusals, which stop it unless overridden, and warnings. */
import type { PortNumber } from '@wirebench/serial';
import { useState } from 'react';
import type { Finding, PlanFacts, Refusal as RefusalFinding } from '../../../protocol/flash-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { GuidanceLink } from '../../../workbench/guidance-link.tsx';
import { pageFamily } from '../store/flasher-store.ts';
import { overrideRefusal } from '../store/plan-actions.ts';
import styles from './finding-list.module.css';

export interface FindingListProps {
  readonly port: PortNumber;
  readonly plan: PlanFacts;
}

export function FindingList({ port, plan: { refusals, overridden, warnings } }: FindingListProps) {
  if (refusals.length + overridden.length + warnings.length === 0) {
    return null;
  }
  return (
    <div className={styles['list']}>
      {refusals.map((finding) => (
        <Refusal key={keyOf(finding)} port={port} finding={finding} />
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

function Refusal({ port, finding }: { readonly port: PortNumber; readonly finding: RefusalFinding }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Notice
        level="error"
        title={finding.what}
        action={
          finding.overridable ? (
            <Button size="sm" onClick={() => setAsking(true)}>
              Write anyway…
            </Button>
          ) : undefined
        }
      >
        {finding.remedy} <More finding={finding} />
      </Notice>
      <ConfirmDialog
        open={asking}
        title="Write anyway?"
        text={`${finding.what} ${finding.remedy}`}
        word={{ text: finding.code }}
        action="Write anyway"
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          overrideRefusal(port, finding.code);
        }}
      />
    </>
  );
}
