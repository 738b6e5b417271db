/**
 * In which order Vitest begins test files. Without the durations of an earlier run it begins with the largest, and small ones that wait for long
 * would come last, with nothing beside them.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Their tests wait for limits of time and for other processes, most of them without working meanwhile. */
const waiting = /\/apps\/server\/src\/(?:security\/hostile\/|durability\/|several-processes)/;

/** What waits begins first, within its project: other files use the cores meanwhile. */
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
