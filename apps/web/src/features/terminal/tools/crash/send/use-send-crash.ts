/** Sends a crash, and records it in the browser's storage. */
import { type NewCrashReport, sharedFirmwarePaths } from '@wirebench/contract';
import { useRef, useState } from 'react';
import { publicApi } from '../../../../../shared/api/api.ts';
import { errorMessage } from '../../../../../shared/api/api-error.ts';
import { useApiMutation } from '../../../../../shared/api/use-api-mutation.ts';
import { browserStorage, type TextStorage } from '../../../../../shared/storage/browser-storage.ts';
import { savingOf } from '../../../../../shared/storage/saving.ts';
import type { CrashTarget } from './release-of-link.ts';

interface Sending {
  readonly target: CrashTarget;
  /** Hash of the dump's bytes. */
  readonly dump: string;
  readonly payload: NewCrashReport;
}

const saving = savingOf({ what: 'That this crash was sent' });

/** Crashes sent by this browser, with their versions. Prevents sending the same dump twice to the same version. */

interface SentCrash {
  /** Share id of the version. */
  readonly shareId: string;
  /** Hash of the dump's bytes. */
  readonly dump: string;
  /** Id used for sending. Another attempt after a lost answer uses the same id. */
  readonly id: string;
  /** Time of the answer, ISO 8601 in UTC. Null: no answer yet, so arrival is unknown. */
  readonly at: string | null;
}

const storageKey = 'wirebench.sent-crashes';
const most = 100;

function sentCrashes(storage: TextStorage): readonly SentCrash[] {
  const text = storage.getItem(storageKey);
  try {
    const kept: unknown = text === null ? [] : JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isSent) : [];
  } catch {
    return [];
  }
}

function isSent(value: unknown): value is SentCrash {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['shareId', 'dump', 'id'].every((key) => typeof Reflect.get(value, key) === 'string')
  );
}

/** Returns the entry of a crash, or null if no attempt was made. */
function findSent(shareId: string, dump: string, storage: TextStorage = browserStorage): SentCrash | null {
  return sentCrashes(storage).find((sent) => sent.shareId === shareId && sent.dump === dump) ?? null;
}

/**
 * Stores an entry. It replaces the entry with the same id.
 *
 * @throws DOMException if the storage is full.
 */
function noteSent(crash: SentCrash, storage: TextStorage = browserStorage): void {
  const others = sentCrashes(storage).filter(({ id }) => id !== crash.id);
  storage.setItem(storageKey, JSON.stringify([crash, ...others].slice(0, most)));
}

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
