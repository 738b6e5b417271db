/** Button that overrides the first refusal of a plan, after a word was typed. */
import { useState } from 'react';
import type { Refusal } from '../../../protocol/flash-protocol.ts';
import { Button, type ButtonProps } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { useFlash, useFlasher } from '../store/flasher-store.ts';
import { overrideRefusal } from '../store/plan-actions.ts';

/** Overrides the refusal that the answer is about. Draws nothing for a refusal that cannot be overridden. */
export function OverrideButton() {
  const refusal = useFlash(({ plan }) => plan?.refusals[0] ?? null);
  return refusal?.overridable ? <OverrideRefusal size="lg" refusal={refusal} /> : null;
}

export interface OverrideRefusalProps extends Pick<ButtonProps, 'size'> {
  readonly refusal: Refusal;
}

export function OverrideRefusal({ refusal, size }: OverrideRefusalProps) {
  const port = useFlasher(({ selected }) => selected);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button size={size} onClick={() => setAsking(true)}>
        Write anyway…
      </Button>
      <ConfirmDialog
        open={asking}
        title="Write anyway?"
        text={`${refusal.what} ${refusal.remedy}`}
        word={{ text: 'anyway', anyCase: true }}
        action="Write anyway"
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          overrideRefusal(port, refusal.code);
        }}
      />
    </>
  );
}
