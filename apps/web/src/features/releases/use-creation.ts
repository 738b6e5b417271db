/**
 * State of a running creation for a form. Leaving the page within the app cancels it. Before the document is left,
 * the user is asked.
 */
import type { Version } from '@wirebench/contract';
import { useEffect, useRef, useState } from 'react';
import { useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { toast } from '../../shared/ui/toast.ts';
import { refreshProjects } from './calls/projects.ts';
import type { VersionUpload } from './calls/versions.ts';
import { type CreationResult, type CreationStep, createVersion } from './create-version.ts';

export interface Creation {
  /** Null: no creation is running. */
  readonly step: CreationStep | null;
  /** Result of the last creation. Null before the first one, and during a creation. */
  readonly last: CreationResult | null;
  readonly start: (upload: VersionUpload, limit: number) => void;
  readonly cancel: () => void;
  /** Clears the last result after the user has changed something. */
  readonly forget: () => void;
}

export function useCreation(onCreated: (version: Version) => void): Creation {
  const [step, setStep] = useState<CreationStep | null>(null);
  const running = useRef<AbortController | null>(null);
  const creation = useApiMutation({
    mutationFn: ({ upload, limit }: { readonly upload: VersionUpload; readonly limit: number }) => {
      const controller = new AbortController();
      running.current = controller;
      return createVersion(upload, { limit, onStep: setStep, signal: controller.signal });
    },
    onSuccess: async (result) => {
      if (result.result === 'created') {
        await refreshProjects();
      } else if (result.result === 'version-taken') {
        void refreshProjects();
      }
      running.current = null;
      setStep(null);
      if (result.result === 'created') {
        onCreated(result.version);
      }
    },
  });
  useEffect(
    () => () => {
      if (running.current !== null) {
        running.current.abort();
        toast('The upload was stopped. What you typed is kept.', { level: 'warning' });
      }
    },
    [],
  );
  useWarningBeforeUnload(step !== null);
  return {
    step,
    last: creation.data ?? null,
    start: (upload, limit) => creation.mutate({ upload, limit }),
    cancel: () => running.current?.abort(),
    forget: creation.reset,
  };
}

function useWarningBeforeUnload(warns: boolean): void {
  useEffect(() => {
    if (!warns) {
      return;
    }
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [warns]);
}
