import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Returns the newest result of `load`; undefined before the first. Loads again after each change of `key`, and ignores
 * results of earlier loads. An earlier result is returned until the next one arrives, and after a failure.
 *
 * @param key Values that `load` depends on, always as many.
 * @param onFailure Called for a failure of the newest load. By default nothing happens.
 */
export function useAsync<Result>(
  key: readonly unknown[],
  load: () => Promise<Result>,
  onFailure: (error: unknown) => void = () => undefined,
): Result | undefined {
  const [result, setResult] = useState<{ readonly value: Result } | null>(null);
  const start = useEffectEvent(load);
  const fail = useEffectEvent(onFailure);
  useEffect(() => {
    let isNewest = true;
    start().then(
      (value) => {
        if (isNewest) {
          setResult({ value });
        }
      },
      (error: unknown) => {
        if (isNewest) {
          fail(error);
        }
      },
    );
    return () => {
      isNewest = false;
    };
    // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists what `load` depends on.
  }, key);
  return result?.value;
}
