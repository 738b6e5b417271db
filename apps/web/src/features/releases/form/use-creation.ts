/**
 * State of a running creation for a form. Leaving the page within the app cancels it. Before the document is left,
 * the user is asked.
 */
import type { Project, Version } from '@wirebench/contract';
import { useEffect, useRef, useState } from 'react';
import { useApiMutation } from '../../../shared/api/use-api-mutation.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { refreshProjects } from '../calls/projects.ts';
import type { VersionUpload } from '../calls/versions.ts';
import { type CreationResult, type CreationStep, createVersion } from './create-version.ts';

export interface Creation {
  /** Null: no creation is running. */
  readonly step: CreationStep | null;
  /** Result of the last creation. Null before the first one, and during a creation. */
  readonly last: CreationResult | null;
  readonly start: (upload: VersionUpload, limit: number, project: Project) => void;
  readonly cancel: () => void;
  /** Clears the last result after the user has changed something. */
  readonly forget: () => void;
}

interface Started {
  readonly upload: VersionUpload;
  readonly limit: number;
  readonly project: Project;
}

export function useCreation(onCreated: (version: Version) => void): Creation {
  const [step, setStep] = useState<CreationStep | null>(null);
  const running = useRef<AbortController | null>(null);
  /** Number of the version whose upload may have been stored without an answer. */
  const lost = useRef<string | null>(null);
  const creation = useApiMutation({
    mutationFn: async ({ upload, limit, project }: Started) => {
      const controller = new AbortController();
      running.current = controller;
      const isRepeated = lost.current === upload.version;
      const options = { limit, project, isRepeated, onStep: setStep, signal: controller.signal };
      const result = await createVersion(upload, options);
      if (result.result === 'failed' ? result.mayBeStored : result.result === 'created') {
        lost.current = result.result === 'failed' ? upload.version : null;
      }
      return result;
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
        const { version, withoutElf = [] } = result;
        if (withoutElf.length > 0) {
          // Shown after the message of the creation, and until it is closed.
          toast(`Version ${version.version} was created without an ELF file`, {
            level: 'error',
            detail: `${withoutElf.join(' ')} Add it in the version's menu, under ELF file.`,
          });
        }
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
    start: (upload, limit, project) => creation.mutate({ upload, limit, project }),
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
