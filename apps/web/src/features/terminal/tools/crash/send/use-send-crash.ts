/** The call that sends a crash, and what this browser remembers of those that it has sent. */
import { type NewCrashReport, sharedFirmwarePaths } from '@wirebench/contract';
import { useRef, useState } from 'react';
import { publicApi } from '../../../../../shared/api/api.ts';
import { errorMessage } from '../../../../../shared/api/api-error.ts';
import { useApiMutation } from '../../../../../shared/api/use-api-mutation.ts';
import { savingOf } from '../../../../../shared/storage/saving.ts';
import type { CrashTarget } from './release-of-link.ts';
import { findSent, noteSent } from './sent-crashes.ts';

interface Sending {
  readonly target: CrashTarget;
  /** Hash of the dump's bytes. */
  readonly dump: string;
  readonly payload: NewCrashReport;
}

const saving = savingOf({ what: 'That this crash was sent' });

export function useSendCrash() {
  const [sent, setSent] = useState<CrashTarget | null>(null);
  /** Made once for each crash and release, so that the preview and every attempt have the same. */
  const ids = useRef(new Map<string, string>());
  const call = useApiMutation<void, Sending>({
    mutationFn: async ({ target: { shareId }, dump, payload }) => {
      // Before it goes: when no answer comes, the next attempt is known as the same crash.
      saving(() => noteSent({ shareId, dump, id: payload.id, at: null }));
      await (await publicApi()).send(sharedFirmwarePaths.crashes(shareId), { method: 'POST', body: payload });
    },
    onSuccess: (_, { target, dump, payload }) => {
      const { shareId } = target;
      saving(() => noteSent({ shareId, dump, id: payload.id, at: new Date().toISOString() }));
      setSent(target);
    },
  });
  return {
    sending: call.isPending,
    sent,
    failure: call.error === null ? null : errorMessage(call.error),
    send: call.mutate,
    /** What the crash is sent as, and when it was sent; `at` is null for one that was not. */
    idFor: (shareId: string, dump: string): { readonly id: string; readonly at: string | null } => {
      const known = findSent(shareId, dump);
      if (known !== null) {
        return known;
      }
      const key = `${shareId} ${dump}`;
      const id = ids.current.get(key) ?? crypto.randomUUID();
      ids.current.set(key, id);
      return { id, at: null };
    },
  };
}
