import { use, useState } from 'react';
import { Button } from '../../../../shared/ui/button.tsx';
import { LevelIcon } from '../../../../shared/ui/level-icon.tsx';
import strip from '../../../../workbench/strip.module.css';
import { usePanels } from '../../panels/store/panels-store.ts';
import { TerminalSlotsContext } from '../../terminal-slots.ts';
import { showTool, useOpenTool } from '../open-tool.ts';
import { waitingRules } from './running-rules.ts';

/** Strip for rules of a JKit or a file that would send, run or record once a person allows it. */
export function RuleReviewStrip() {
  const waiting = usePanels((panels) =>
    waitingRules(panels)
      .map(({ id }) => id)
      .join(),
  );
  const [dismissed, setDismissed] = useState('');
  const isOpen = useOpenTool() === 'rules';
  const { isReadOnly } = use(TerminalSlotsContext);
  if (isReadOnly || waiting === '' || waiting === dismissed || isOpen) {
    return null;
  }
  return (
    <div className={`row ${strip['strip']} ${strip['warning']}`} role="status">
      <LevelIcon level="warning" />
      <span>Rules that came with a JKit or a file would send, run or record. They are off until you allow it.</span>
      <span className={strip['end']}>
        <Button size="sm" onClick={() => showTool('rules')}>
          Review
        </Button>
        <Button size="sm" variant="quiet" onClick={() => setDismissed(waiting)}>
          Not now
        </Button>
      </span>
    </div>
  );
}
