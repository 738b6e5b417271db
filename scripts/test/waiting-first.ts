/**
 * Order of Vitest's test files. Without durations of an earlier run Vitest starts with the largest files. Small files
 * with long waits would then run last, alone.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files whose tests wait for timeouts and other processes, mostly without using the processor. */
const waiting = /\/apps\/server\/src\/(?:security\/hostile\/|durability\/|several-processes)/;

/** Starts the waiting files of each project first, so that other files use the cores during the waits. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const byProject = Map.groupBy(sorted, ({ project }) => project);
    return [...byProject.values()].flatMap((ofProject) => [
      ...ofProject.filter(({ moduleId }) => waiting.test(moduleId)),
      ...ofProject.filter(({ moduleId }) => !waiting.test(moduleId)),
    ]);
  }
}
