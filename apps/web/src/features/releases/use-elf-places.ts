/**
 * Resolves addresses to functions and lines with the ELF file of a version. The file is downloaded on demand and read
 * in a worker.
 */
import { firmwarePaths, type Version } from '@wirebench/contract';
import { useEffect, useRef, useState } from 'react';
import { send } from '../../shared/api/api.ts';
import { errorMessage } from '../../shared/api/api-error.ts';
import type { CrashPlaces } from './model/crash-stacks.ts';

export interface ElfPlaces {
  /** By address; empty before the first request. */
  readonly places: ReadonlyMap<number, CrashPlaces>;
  readonly busy: boolean;
  /** Reason why no place was found; null without a failure. */
  readonly failure: string | null;
  readonly start: (addresses: readonly { readonly pc: number; readonly isReturn: boolean }[]) => void;
}

const none: ReadonlyMap<number, CrashPlaces> = new Map();

export function useElfPlaces({ _id: id, elf }: Version): ElfPlaces {
  const [found, setFound] = useState({ places: none, busy: false, failure: null as string | null });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start: ElfPlaces['start'] = (addresses) => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setFound({ places: none, busy: true, failure: null });
    find(id, elf?.fileName ?? 'firmware.elf', addresses, signal).then(
      (places) => {
        if (!signal.aborted) {
          const failure = places.size === 0 ? 'The ELF file knows none of these addresses.' : null;
          setFound({ places, busy: false, failure });
        }
      },
      (error: unknown) => {
        if (!signal.aborted) {
          const failure = `The ELF file could not be used: ${errorMessage(error)}`;
          setFound({ places: none, busy: false, failure });
        }
      },
    );
  };
  return { ...found, start };
}

async function find(
  id: string,
  name: string,
  addresses: Parameters<ElfPlaces['start']>[0],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, CrashPlaces>> {
  // Loaded on demand, because most visits of this page involve no crash.
  const { addSymbolFile, decode, removeSymbolFile } = await import('../../workbench/crash/symbol-files.ts');
  const bytes = await (await send(firmwarePaths.versionElf(id), { signal })).blob();
  const file = await addSymbolFile(new File([bytes], name));
  try {
    const { places } = await decode({
      files: [file],
      addresses: addresses.map(({ pc, isReturn }) => ({ value: pc, role: isReturn ? 'return' : 'exact' })),
      build: null,
    });
    return new Map(
      addresses.flatMap(({ pc }, index) => {
        const place = places[index];
        return place === null || place === undefined
          ? []
          : [
              [
                pc,
                place.frames.map((frame) => ({
                  function: frame.name ?? null,
                  file: frame.file ?? null,
                  line: frame.line ?? 0,
                })),
              ] as const,
            ];
      }),
    );
  } finally {
    removeSymbolFile(file);
  }
}
