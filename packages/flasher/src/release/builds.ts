/**
 * Builds of a release and the choice for a board: the entry `@wirebench/flasher/release/builds`. A page that only chooses loads
 * no reader of manifests and no check of files.
 */

export { isWithBootloader } from '../images/sketch-name.ts';
export { avrBoardFacts, espBoardFacts, nordicBoardFacts, stmBoardFacts } from './board-facts.ts';
export { type BuildChoice, chooseBuild } from './choose-build.ts';
export {
  allOf,
  anyOf,
  avrChipOf,
  type BoardFacts,
  type BuildGuards,
  buildName,
  chipsOf,
  guardTexts,
  modelName,
  type ReleaseBuild,
} from './release-build.ts';
