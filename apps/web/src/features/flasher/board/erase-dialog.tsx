/** Asks before anything is erased, and offers a backup first. */
import { eraseText } from '@wirebench/flasher/callers';
import { Save } from 'lucide-react';
import { useState } from 'react';
import { memoryText } from '../../../shared/format/bytes.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { backUpFirst, closeErase, eraseNow, extentText, rangeOf, useEraseRequest } from '../store/erase-request.ts';
import { pageFamily } from '../store/flasher-store.ts';

export function EraseDialog() {
  const asked = useEraseRequest();
  // Keeps the last content visible while the dialog closes.
  const [shown, setShown] = useState(asked);
  if (asked !== null && asked !== shown) {
    setShown(asked);
  }
  const { target, backup } = shown ?? { target: { name: '', range: null }, backup: null };
  const { range } = target;
  const { name: family } = pageFamily();
  const extent = shown === null ? '' : extentText(shown);
  const whole = shown === null ? null : rangeOf(shown);
  // The part after the comma names what stays.
  const [size = ''] = extent.split(',');
  return (
    <ConfirmDialog
      open={asked !== null}
      onClose={closeErase}
      title={`Erase ${extent}?`}
      text={eraseText(family, range)}
      action={range === null ? `Erase ${size}` : 'Erase'}
      besides={
        asked === null || backup !== null || rangeOf(asked) === null ? null : (
          <Button icon={<Save />} onClick={() => void backUpFirst(asked)}>
            {range === null && whole !== null ? `Back up all ${memoryText(whole.length)} first` : 'Back up first'}
          </Button>
        )
      }
      onConfirm={() => asked !== null && void eraseNow(asked)}
    >
      {backup === null ? null : (
        <p>
          The backup was sent to your downloads as <code>{backup}</code>. Check that it is there.
        </p>
      )}
    </ConfirmDialog>
  );
}
