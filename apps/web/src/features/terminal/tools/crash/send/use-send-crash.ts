/** Sends a crash, and records it in the browser's storage. */
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
  /** Generated ids by version and dump, so that the preview and each attempt use the same id. */
  const ids = useRef(new Map<string, string>());
  const call = useApiMutation<void, Sending>({
    mutationFn: async ({ target: { shareId }, dump, payload }) => {
      // Stored before sending: if the answer is lost, the next attempt uses the same id.
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
    /** Returns the id for sending a crash and the time when it was sent. `at` is null for unsent crashes. */
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
